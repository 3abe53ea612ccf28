// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs that use oneTBB and OpenCL. Each scenario runs in a process of its own, which exits with 0 if all is well.
#include "support/session.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lanecl::test;

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what);
  _exit(1);
}

size_t threadsOfProcess() {
  const std::filesystem::directory_iterator tasks("/proc/self/task"), end;
  return static_cast<size_t>(std::distance(tasks, end));
}

size_t processors() {
  return static_cast<size_t>(tbb::info::default_concurrency());
}

const char *const kSource = "kernel void spin(global uint *p, uint n) {\n"
                            "  uint x = get_global_id(0);\n"
                            "  for (uint i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;\n"
                            "  p[get_global_id(0)] = x;\n}\n"
                            "kernel void wait_for(volatile global atomic_int *flag) {\n"
                            "  while (atomic_load(flag) == 0) ;\n}\n"
                            "kernel void set(volatile global atomic_int *flag) { atomic_store(flag, 1); }\n";

std::vector<cl_uint> expected(size_t count, cl_uint n) {
  std::vector<cl_uint> values(count);
  for (size_t i = 0; i < count; ++i) {
    cl_uint x = static_cast<cl_uint>(i);
    for (cl_uint k = 0; k < n; ++k)
      x = x * 1664525u + 1013904223u;
    values[i] = x;
  }
  return values;
}

class Kernels {
public:
  Kernels() : program(cl.build(kSource, "-cl-std=CL3.0")), data(cl.bytes(kItems * sizeof(cl_uint))) {}

  Event begin(cl_uint n) const {
    Event event = cl.enqueue(cl.kernel(program, "spin"), {kItems}, {64}, data, n);
    check(clFlush(cl.queue), "clFlush");
    return event;
  }
  void runAndCheck(cl_uint n) const {
    begin(n);
    check(clFinish(cl.queue), "clFinish");
    require(cl.read<cl_uint>(data) == expected(kItems, n), "a wrong result");
  }

  static constexpr size_t kItems = 4096;
  Session cl;
  Program program;
  Memory data;
};

bool isComplete(const Event &event) {
  cl_int status = CL_QUEUED;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  return status == CL_COMPLETE;
}

// No thread of the program helps.
void pollUntilComplete(const Event &event) {
  while (!isComplete(event))
    std::this_thread::sleep_for(Milliseconds(1));
}

// Runs a parallel loop of the program itself.
void sumInParallel() {
  std::atomic<long> sum{0};
  tbb::parallel_for(0, 1000, [&](int i) { sum += i; });
  require(sum == 499500, "a wrong sum");
}

// Kernels run on the threads that the program's loops have, and on no others.
void shareThreads() {
  const Kernels kernels;
  for (int i = 0; i < 50; ++i) {
    kernels.begin(2'000);
    sumInParallel();
    kernels.runAndCheck(2'000);
    pollUntilComplete(kernels.begin(1'000));
  }
  std::printf("%zu threads on %zu processors\n", threadsOfProcess(), processors());
  require(threadsOfProcess() <= std::max<size_t>(processors(), 2), "too many threads");
}

// Measures the time from a kernel's end to the start of a task in the program's own arena. On a busy machine oneTBB
// itself takes some time for that. If a thread looked for kernels without an end, the task would never start.
void giveThreadsBack() {
  const Kernels kernels;
  tbb::task_arena own(2, 1);
  std::vector<double> times;
  for (int i = 0; i < 21; ++i) {
    pollUntilComplete(kernels.begin(1'000));
    const auto begin = Clock::now();
    std::atomic<bool> begun{false};
    own.enqueue([&] { begun = true; });
    while (!begun)
      require(Clock::now() - begin < std::chrono::seconds(30), "the thread does not come back");
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  std::printf("the thread comes back in %.3f ms\n", times[10]);
}

void CL_CALLBACK count(cl_event, cl_int, void *counter) {
  ++*static_cast<std::atomic<int> *>(counter);
}

// Runs commands that one thread has to run one after the other, and commands that need several threads.
void runEverything() {
  const Kernels kernels;
  kernels.runAndCheck(1'000);
  std::atomic<int> called{0};
  for (int i = 0; i < 20; ++i) {
    const Event event = kernels.begin(1'000);
    check(clSetEventCallback(event, CL_COMPLETE, count, &called), "clSetEventCallback");
    pollUntilComplete(event);
  }
  while (called != 20)
    std::this_thread::sleep_for(Milliseconds(1));
  // A kernel waits for a kernel of another queue.
  const Memory flag = kernels.cl.buffer(std::vector<cl_int>(1, 0));
  const CommandQueue other = makeQueue(kernels.cl.context);
  const Event waiting = kernels.cl.enqueue(kernels.cl.kernel(kernels.program, "wait_for"), {1}, {1}, flag);
  check(clFlush(kernels.cl.queue), "clFlush");
  std::this_thread::sleep_for(Milliseconds(20));
  const Kernel set = kernels.cl.kernel(kernels.program, "set");
  kernels.cl.setArguments(set, flag);
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(other, set, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), "clEnqueueNDRangeKernel");
  check(clFlush(other), "clFlush");
  pollUntilComplete(waiting);
}

void oneThreadAllowed() {
  const tbb::global_control only_one(tbb::global_control::max_allowed_parallelism, 1);
  runEverything();
  sumInParallel();
}

// Tests the message, which LANECL_THREADS=4 has to cause.
void twoThreadsAllowed() {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  runEverything();
}

void smallStacks() {
  const tbb::global_control small(tbb::global_control::thread_stack_size, size_t{256} << 10);
  runEverything();
}

// With LANECL_THREADS=4 there are three threads of oneTBB, and the thread that waits.
void moreThreadsThanProcessors() {
  const Kernels kernels;
  for (int i = 0; i < 20; ++i)
    kernels.runAndCheck(10'000);
  require(threadsOfProcess() >= 4, "too few threads");
}

// In the child, oneTBB counts on threads that were not forked, and the library is loaded only then.
void forkBeforeOpenCL() {
  sumInParallel();
  std::this_thread::sleep_for(Milliseconds(10));
  const pid_t child = fork();
  if (child == 0) {
    runEverything();
    _exit(0);
  }
  int status = 0;
  require(waitpid(child, &status, 0) == child && status == 0, "the forked process failed");
  runEverything();
}

// The program has occupied all threads of oneTBB with waiting.
void everyThreadWaits() {
  const Kernels kernels;
  const int all = static_cast<int>(processors());
  std::atomic<int> here{0};
  const Event gate = userEvent(kernels.cl.context);
  Event last;
  const cl_event waited = gate;
  check(clEnqueueMarkerWithWaitList(kernels.cl.queue, 1, &waited, last.out()), "clEnqueueMarkerWithWaitList");
  std::thread opener([&] {
    while (here < all)
      std::this_thread::sleep_for(Milliseconds(1));
    std::this_thread::sleep_for(Milliseconds(20));
    const CommandQueue other = makeQueue(kernels.cl.context);
    const int value = 1;
    Event filled;
    check(clEnqueueFillBuffer(other, kernels.data, &value, 4, 0, 4096, 0, nullptr, filled.out()),
          "clEnqueueFillBuffer");
    check(clFlush(other), "clFlush");
    pollUntilComplete(filled);
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  });
  tbb::parallel_for(
      0, all,
      [&](int) {
        ++here;
        const cl_event event = last;
        check(clWaitForEvents(1, &event), "clWaitForEvents");
      },
      tbb::simple_partitioner());
  opener.join();
}

// The program has occupied all threads of oneTBB with polling.
void everyThreadPolls() {
  const Kernels kernels;
  const int all = static_cast<int>(processors());
  std::atomic<int> here{0};
  tbb::parallel_for(
      0, all,
      [&](int) {
        ++here;
        const auto patience = Clock::now() + std::chrono::seconds(1); // oneTBB may give this loop fewer threads
        while (here < all && Clock::now() < patience)
          std::this_thread::yield();
        const CommandQueue queue = makeQueue(kernels.cl.context);
        const Memory data = kernels.cl.bytes(Kernels::kItems * sizeof(cl_uint));
        const int value = 1;
        Event filled;
        check(clEnqueueFillBuffer(queue, data, &value, 4, 0, 4096, 0, nullptr, filled.out()), "clEnqueueFillBuffer");
        check(clFlush(queue), "clFlush");
        while (!isComplete(filled))
          ;
      },
      tbb::simple_partitioner());
}

void loopsAndKernels() {
  const Kernels kernels;
  for (int i = 0; i < 20; ++i) {
    const Event event = kernels.begin(10'000);
    for (int k = 0; k < 10; ++k)
      sumInParallel();
    check(clFinish(kernels.cl.queue), "clFinish");
    require(kernels.cl.read<cl_uint>(kernels.data) == expected(Kernels::kItems, 10'000), "a wrong result");
  }
}

// Kernels are launched in a loop of the program itself.
void kernelsInALoop() {
  const Kernels kernels;
  tbb::parallel_for(0, 64, [&](int) {
    const CommandQueue queue = makeQueue(kernels.cl.context);
    const Memory data = kernels.cl.bytes(Kernels::kItems * sizeof(cl_uint));
    const Kernel spin = kernels.cl.kernel(kernels.program, "spin");
    kernels.cl.setArguments(spin, data, cl_uint(1'000));
    const size_t size = Kernels::kItems;
    check(clEnqueueNDRangeKernel(queue, spin, 1, nullptr, &size, nullptr, 0, nullptr, nullptr), "launch");
    check(clFinish(queue), "clFinish");
    require(kernels.cl.read<cl_uint>(data) == expected(Kernels::kItems, 1'000), "a wrong result");
  });
}

void manySubDevices() {
  const cl_device_id device = laneclDevice();
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  size_t made = 0;
  while (made < 1000) {
    cl_uint number = 0;
    check(clCreateSubDevices(device, equally, 0, nullptr, &number), "clCreateSubDevices");
    std::vector<cl_device_id> parts(number);
    check(clCreateSubDevices(device, equally, number, parts.data(), nullptr), "clCreateSubDevices");
    for (cl_device_id part : parts) {
      const Context context = makeContext(part);
      const CommandQueue queue = makeQueue(context, 0, part);
      cl_int code = CL_SUCCESS;
      const Memory data(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &code));
      check(code, "clCreateBuffer");
      const int value = 7;
      Event filled;
      check(clEnqueueFillBuffer(queue, data, &value, 4, 0, 4096, 0, nullptr, filled.out()), "clEnqueueFillBuffer");
      check(clFlush(queue), "clFlush");
      if (made++ % 2 == 0)
        pollUntilComplete(filled);
      std::vector<int> back(1024);
      check(clEnqueueReadBuffer(queue, data, CL_TRUE, 0, 4096, back.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
      require(back == std::vector<int>(1024, 7), "a wrong result");
      check(clReleaseDevice(part), "clReleaseDevice");
    }
  }
  std::printf("%zu sub-devices, %zu threads at the end\n", made, threadsOfProcess());
  require(threadsOfProcess() <= std::max<size_t>(processors(), 2), "too many threads");
}

const std::map<std::string, std::function<void()>> kScenarios = {
    {"share_threads", shareThreads},
    {"give_threads_back", giveThreadsBack},
    {"one_thread_allowed", oneThreadAllowed},
    {"two_threads_allowed", twoThreadsAllowed},
    {"small_stacks", smallStacks},
    {"more_threads_than_processors", moreThreadsThanProcessors},
    {"fork_before_opencl", forkBeforeOpenCL},
    {"every_thread_waits", everyThreadWaits},
    {"every_thread_polls", everyThreadPolls},
    {"loops_and_kernels", loopsAndKernels},
    {"kernels_in_a_loop", kernelsInALoop},
    {"many_sub_devices", manySubDevices},
};

} // namespace

int main(int argc, char **argv) {
  const auto scenario = kScenarios.find(argc == 2 ? argv[1] : "");
  if (scenario == kScenarios.end())
    return 1;
  alarm(100);
  try {
    scenario->second();
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
