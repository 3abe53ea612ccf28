// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order in which another work-group, on another thread, sees what a work-group writes.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

// A kernel for two work-groups. The first one runs a loop. The second one waits until it sees what the loop writes, and
// then each of its work-items stores what it has found. `m` is the memory that they share.
std::string kernelOf(const std::string &writes, const std::string &waits, const std::string &found) {
  return R"(
#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel
KERNEL void k(global uint *m, global uint *out, uint turns, uint awaited) {
  const size_t l = get_local_id(0);
  global uint *flag = m, *data = m + 64;
  volatile global uint *volatile_flag = m, *volatile_data = m + 64, *end = m + 1;
  if (get_group_id(0) == 0) {
    uint t = 1;
    for (; t < turns; ++t) { )" +
         writes + R"( }
    if (l == 0)
      out[0] = t;
  } else {
    )" + waits +
         R"(
    out[1 + l] = )" +
         found + R"(;
    if (l == 0)
      *end = 1;
  }
})";
}

struct Seen {
  cl_uint turns;              // how many turns the first work-group took
  std::vector<cl_uint> found; // by work-item of the second work-group
};

Seen run(const Session &cl, const Program &program, size_t local, cl_uint turns, cl_uint awaited) {
  Memory m = cl.buffer(std::vector<cl_uint>(8192)), out = cl.buffer(std::vector<cl_uint>(1 + local));
  cl.run(cl.kernel(program, "k"), {2 * local}, {local}, m, out, turns, awaited);
  std::vector<cl_uint> seen = cl.read<cl_uint>(out);
  return {seen[0], {seen.begin() + 1, seen.end()}};
}

bool hasTwoThreads(const Session &cl) {
  cl_uint units = 0;
  check(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
  return units > 1;
}

void forEachBuild(const std::string &source,
                  const std::function<void(const Session &, const Program &, size_t width)> &check) {
  const Session cl;
  if (!hasTwoThreads(cl))
    return;
  for (const size_t width : widthsInTurn())
    for (const char *options : {"", " -cl-opt-disable"}) {
      INFO("sub-groups of " << width << options << "\n" << source);
      check(cl, cl.build(source, "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + options), width);
    }
}

// When the second work-group starts to wait, the first one may have finished its loop. Only if a work-item found less
// than it waited for has it seen too little. Sub-groups that wait for nothing run one after the other.
void checkOrder(const std::string &writes, const std::string &waits, const std::string &found, bool many_sub_groups) {
  constexpr cl_uint kTurns = 300'000, kAwaited = 1000;
  forEachBuild(kernelOf(writes, waits, found), [=](const Session &cl, const Program &program, size_t width) {
    for (const size_t local : {width, width - 3, width + 3, 2 * width}) {
      if (local > width && !many_sub_groups)
        continue;
      INFO("local size " << local);
      for (const cl_uint number : run(cl, program, local, kTurns, kAwaited).found)
        CHECK(number >= kAwaited);
    }
  });
}

} // namespace

TEST_CASE("what lanes write to volatile memory is seen while their loop is still running", "[memory_order]") {
  constexpr cl_uint kForever = 4'000'000'000;
  for (const std::string place : {"[l]", "[l * (l + 1)]", "[63 - l]"}) {
    const std::string data = "volatile_data" + place;
    forEachBuild(kernelOf(data + " = t; if (*end != 0) break;", "while (" + data + " == 0) {}", data),
                 [&](const Session &cl, const Program &program, size_t width) {
                   for (const size_t local : {width, width - 3})
                     CHECK(run(cl, program, local, kForever, 1).turns < kForever);
                 });
  }
}

TEST_CASE("what lanes write to volatile memory is seen in order", "[memory_order]") {
  for (const std::string place : {"[l]", "[l * (l + 1)]", "[2 * l]"})
    checkOrder("volatile_data" + place + " = t; *volatile_flag = t;", "while (*volatile_flag < awaited) {}",
               "volatile_data" + place, /*many_sub_groups=*/false);
}

TEST_CASE("what is written before a barrier for global memory is seen before an atomic store after the barrier",
          "[memory_order]") {
  for (const std::string barrier :
       {"barrier(CLK_GLOBAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);",
        "mem_fence(CLK_GLOBAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE);"})
    checkOrder("data[l] = t; " + barrier + " if (l == 0) atomic_inc(flag);",
               "while (atomic_add(flag, 0) < awaited) {} " + barrier, "data[l]",
               /*many_sub_groups=*/true);
}

// A tree in local memory without a work-group barrier. Lanes read what others have stored in the previous step.
TEST_CASE("a tree in local memory in lock-step", "[memory_order]") {
  for (const auto &[qualifier, between] : std::vector<std::pair<std::string, std::string>>{
           {"volatile", ""}, {"", "sub_group_barrier(CLK_LOCAL_MEM_FENCE)"}, {"", "mem_fence(CLK_LOCAL_MEM_FENCE)"}})
    checkEachItem("#define QUALIFIER " + qualifier + "\n#define BETWEEN " + between + R"(
KERNEL void k(global const int *in, global int *out) {
  local QUALIFIER int all[16][2 * WIDTH];
  local QUALIFIER int *s = all[get_sub_group_id()];
  const size_t l = get_sub_group_local_id();
  for (size_t i = l; i < 2 * WIDTH; i += get_sub_group_size())
    s[i] = 0;
  BETWEEN;
  s[l] = in[get_global_linear_id()];
  BETWEEN;
  __attribute__((opencl_unroll_hint))
  for (int step = WIDTH / 2; step > 0; step /= 2) {
    s[l] = s[l] + s[l + step];
    BETWEEN;
  }
  out[get_global_linear_id()] = s[0];
})",
                  [](const Item &item) {
                    int sum = 0;
                    for (size_t lane = 0; lane < item.subGroupSize(); ++lane)
                      sum += item.lane(lane);
                    return sum;
                  });
}
