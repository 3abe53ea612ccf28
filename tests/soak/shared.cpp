// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jobs.h"

namespace lanecl::test::soak {
namespace {

constexpr const char *kSource = R"(
kernel void add(global int *p, int value) { p[get_global_id(0)] += value; }

kernel void mirror(global int *p, local int *group) {
  int i = get_local_id(0), last = get_local_size(0) - 1;
  group[i] = p[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = group[last - i];
}

// Each sub-group's sum takes the place of its odd elements.
__attribute__((intel_reqd_sub_group_size(16))) kernel void sums(global int *p) {
  int value = p[get_global_id(0)], sum = sub_group_reduce_add(value);
  if (value & 1)
    p[get_global_id(0)] = sum;
}
)";

} // namespace

Shared::Shared(Tally &t) : tally(t), device(laneclDevice()), context(countedContext(device, t)) {
  cl_int code = CL_SUCCESS;
  const char *source = kSource;
  program = Program(clCreateProgramWithSource(context, 1, &source, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
}

Context countedContext(cl_device_id device, Tally &tally) {
  Context context = makeContext(device);
  ++tally.contexts_made;
  check(clSetContextDestructorCallback(
            context, [](cl_context, void *gone) { ++static_cast<Tally *>(gone)->contexts_gone; }, &tally),
        "clSetContextDestructorCallback");
  return context;
}

void countEnd(cl_event event, Tally &tally) {
  ++tally.callbacks_asked;
  check(clSetEventCallback(
            event, CL_COMPLETE, [](cl_event, cl_int, void *heard) { ++static_cast<Tally *>(heard)->callbacks_heard; },
            &tally),
        "clSetEventCallback");
}

void expectCode(cl_int want, cl_int got, const char *call) {
  if (want != got)
    throw ClError(std::string(call) + " should have returned " + std::to_string(want), got);
}

} // namespace lanecl::test::soak
