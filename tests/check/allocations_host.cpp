// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// check_allocations_host CASE: launches kernels while other threads look up an allocation, so that its registry is
// often locked when check mode needs all allocations.
//   count    adds 1 to each integer of the allocation, kLaunches times, and prints how many integers are wrong
//   decide   decides by integers that the host has written over uninitialized ones
//   free     frees another allocation, which is large, while the kernel `count` waits for an event
//   leave    reads past the end of the allocation, in kLines lines
#include "support/exit_status.hpp"
#include "support/extension.hpp"
#include "support/session.hpp"

#include <CL/cl_ext.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

using namespace lanecl::test;

namespace {

constexpr int kLaunches = 100, kLines = 50;
constexpr size_t kCount = 64, kBytes = kCount * sizeof(int);
constexpr const char *kSource = R"(
kernel void count(global int *p) { p[get_global_id(0)] += 1; }
kernel void copy(global int *p, global const int *from) { p[get_global_id(0)] = from[get_global_id(0)]; }
kernel void decide(global const int *p, global int *out) {
  if (p[get_global_id(0)] == 7)
    out[get_global_id(0)] = 1;
}
)";

// An allocation that the host and kernels write.
struct Shared {
  explicit Shared(const Session &session) : cl(session) {
    cl_int code = CL_SUCCESS;
    const auto allocate = extensionFunction<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
    numbers = static_cast<int *>(allocate(cl.context, cl.device, nullptr, kBytes, 0, &code));
    check(code, "clSharedMemAllocINTEL");
  }
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  ~Shared() { extensionFunction<clMemFreeINTEL_fn>("clMemFreeINTEL")(cl.context, numbers); }

  // Launches a kernel whose argument 0 is the allocation.
  void enqueue(const Kernel &kernel) const {
    const auto set = extensionFunction<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
    check(set(kernel, 0, numbers), "clSetKernelArgMemPointerINTEL");
    check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr), "launch");
  }
  void run(const Kernel &kernel) const {
    enqueue(kernel);
    check(clFinish(cl.queue), "clFinish");
  }

  const Session &cl;
  int *numbers = nullptr;
};

// Threads that look up the allocation until the object is destroyed.
class Lookups {
public:
  explicit Lookups(const Shared &shared) {
    for (std::thread &thread : threads)
      thread = std::thread([this, &shared, context = shared.cl.context.get()] {
        const auto get = extensionFunction<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
        for (size_t bytes = 0; !done;)
          get(context, shared.numbers, CL_MEM_ALLOC_SIZE_INTEL, sizeof bytes, &bytes, nullptr);
      });
  }
  Lookups(const Lookups &) = delete;
  Lookups &operator=(const Lookups &) = delete;
  ~Lookups() {
    done = true;
    for (std::thread &thread : threads)
      thread.join();
  }

private:
  std::atomic<bool> done{false};
  std::thread threads[2];
};

void count(const Session &cl, const Program &program, const Shared &shared) {
  const Kernel kernel = cl.kernel(program, "count");
  std::fill_n(shared.numbers, kCount, 0);
  for (int i = 0; i < kLaunches; ++i)
    shared.run(kernel);
  std::printf("%zu wrong\n", kCount - size_t(std::count(shared.numbers, shared.numbers + kCount, kLaunches)));
}

void decide(const Session &cl, const Program &program, const Shared &shared) {
  const Kernel copy = cl.kernel(program, "copy"), kernel = cl.kernel(program, "decide");
  const Memory unwritten = cl.bytes(kBytes), out = cl.bytes(kBytes);
  check(clSetKernelArg(copy, 1, sizeof(cl_mem), unwritten.address()), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), out.address()), "clSetKernelArg");
  for (int i = 0; i < kLaunches; ++i) {
    shared.run(copy);
    std::fill_n(shared.numbers, kCount, i);
    shared.run(kernel);
  }
}

void freeAnother(const Session &cl, const Program &program, const Shared &shared) {
  constexpr size_t kLarge = size_t(257) << 20; // check mode keeps 256 MiB of freed memory
  const auto allocate = extensionFunction<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  const auto release = extensionFunction<clMemFreeINTEL_fn>("clMemFreeINTEL");
  cl_int code = CL_SUCCESS;
  void *const another = allocate(cl.context, cl.device, nullptr, kLarge, 0, &code);
  check(code, "clSharedMemAllocINTEL");
  std::fill_n(shared.numbers, kCount, 0);
  const Event gate = userEvent(cl.context);
  check(clEnqueueBarrierWithWaitList(cl.queue, 1, gate.address(), nullptr), "clEnqueueBarrierWithWaitList");
  shared.enqueue(cl.kernel(program, "count"));
  check(release(cl.context, another), "clMemFreeINTEL");
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clFinish(cl.queue), "clFinish");
  std::printf("%zu wrong\n", kCount - size_t(std::count(shared.numbers, shared.numbers + kCount, 1)));
}

void leave(const Session &cl, const Shared &shared) {
  std::string source = "kernel void leave(global int *p) {\n  int sum = 0;\n";
  for (int i = 0; i < kLines; ++i)
    source += "  sum += p[64 + " + std::to_string(i) + "];\n";
  const Program program = cl.build(source + "  p[get_global_id(0)] = sum;\n}\n");
  shared.run(cl.kernel(program, "leave"));
}

void run(const std::string &name) {
  const Session cl;
  const Program program = cl.build(kSource);
  const Shared shared(cl);
  const Lookups lookups(shared);
  if (name == "count")
    count(cl, program, shared);
  else if (name == "decide")
    decide(cl, program, shared);
  else if (name == "free")
    freeAnother(cl, program, shared);
  else
    leave(cl, shared);
}

} // namespace

int main(int count, char **arguments) {
  if (count != 2)
    return 2;
  return lanecl::test::exitStatusOf([&] { run(arguments[1]); });
}
