// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocking calls in every kind of code that OpenCL calls back, for commands of the same device and of another one,
// while no other thread waits.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

using namespace lanecl::test;

namespace {

using SubDevice = Handle<cl_device_id, clRetainDevice, clReleaseDevice>;

bool eventually(const std::function<bool()> &condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

// Two devices of one thread each, if there are enough processors or LANECL_THREADS is large enough. Otherwise the root
// device twice.
struct Pair {
  Pair() {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 0;
    if (clCreateSubDevices(laneclDevice(), equally, 0, nullptr, &count) == CL_SUCCESS && count >= 2) {
      std::vector<cl_device_id> handles(count);
      check(clCreateSubDevices(laneclDevice(), equally, count, handles.data(), nullptr), "clCreateSubDevices");
      subs = std::vector<SubDevice>(handles.begin(), handles.end());
      devices[0] = handles[0];
      devices[1] = handles[1];
    }
    cl_int code = CL_SUCCESS;
    context = Context(clCreateContext(nullptr, devices[0] == devices[1] ? 1 : 2, devices, nullptr, nullptr, &code));
    check(code, "clCreateContext");
    const char *source = "kernel void fill(global int *p, int n) { p[get_global_id(0)] = n; }";
    program = Program(clCreateProgramWithSource(context, 1, &source, nullptr, &code));
    check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
    for (int i = 0; i < 2; ++i) {
      queues[i] = makeQueue(context, 0, devices[i]);
      unordered[i] = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, devices[i]);
    }
    data = Memory(clCreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(int), nullptr, &code));
    check(code, "clCreateBuffer");
  }

  static constexpr size_t kItems = 64;
  cl_device_id devices[2] = {laneclDevice(), laneclDevice()};
  std::vector<SubDevice> subs;
  Context context;
  Program program;
  CommandQueue queues[2], unordered[2];
  Memory data;
};

// What the callback does: it launches a kernel, and waits for it and for following commands in every way.
struct Work {
  Work(Pair &of, CommandQueue in, int value) : pair(of), queue(std::move(in)), number(value) {}

  Pair &pair;
  const CommandQueue queue;
  const int number;
  std::atomic<bool> done{false};

  // Uses no macro that throws, because C code calls it.
  void operator()() {
    cl_int code = CL_SUCCESS;
    const Kernel kernel(clCreateKernel(pair.program, "fill", &code));
    bool good = code == CL_SUCCESS;
    good &= clSetKernelArg(kernel, 0, sizeof(cl_mem), pair.data.address()) == CL_SUCCESS;
    good &= clSetKernelArg(kernel, 1, sizeof number, &number) == CL_SUCCESS;
    Event event;
    const size_t size = Pair::kItems;
    good &= clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, event.out()) == CL_SUCCESS;
    good &= clWaitForEvents(1, event.address()) == CL_SUCCESS;
    std::vector<int> values(Pair::kItems);
    good &= clEnqueueReadBuffer(queue, pair.data, CL_TRUE, 0, values.size() * sizeof(int), values.data(), 0, nullptr,
                                nullptr) == CL_SUCCESS;
    good &= values == std::vector<int>(Pair::kItems, number);
    good &=
        clEnqueueWriteBuffer(queue, pair.data, CL_TRUE, 0, sizeof number, &number, 0, nullptr, nullptr) == CL_SUCCESS;
    good &= clFinish(queue) == CL_SUCCESS;
    done = good;
  }
};

void CL_CALLBACK workInEvent(cl_event, cl_int, void *work) {
  (*static_cast<Work *>(work))();
}
void CL_CALLBACK workInNativeKernel(void *argument) {
  (**static_cast<Work **>(argument))();
}
void CL_CALLBACK workInBuild(cl_program, void *work) {
  (*static_cast<Work *>(work))();
}
void CL_CALLBACK workInDestructor(cl_mem, void *work) {
  (*static_cast<Work *>(work))();
}
void CL_CALLBACK workInFree(cl_command_queue queue, cl_uint count, void *pointers[], void *work) {
  (*static_cast<Work *>(work))();
  cl_context context = nullptr;
  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
  for (cl_uint i = 0; i < count; ++i)
    clSVMFree(context, pointers[i]);
}

// Makes OpenCL call `work` on behalf of `queue`. Waits for nothing.
using Caller = std::function<void(Pair &, const CommandQueue &queue, Work &work)>;

const std::pair<const char *, Caller> kCallers[] = {
    {"event callback",
     [](Pair &, const CommandQueue &queue, Work &work) {
       Event event;
       check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, event.out()), "clEnqueueMarkerWithWaitList");
       check(clSetEventCallback(event, CL_COMPLETE, workInEvent, &work), "clSetEventCallback");
     }},
    {"callback of a running command",
     [](Pair &pair, const CommandQueue &queue, Work &work) {
       cl_int code = CL_SUCCESS;
       const Event gate(clCreateUserEvent(pair.context, &code));
       Event event;
       const int zero = 0;
       const Memory other(clCreateBuffer(pair.context, CL_MEM_READ_WRITE, 64, nullptr, &code));
       check(clEnqueueFillBuffer(queue, other, &zero, 4, 0, 64, 1, gate.address(), event.out()), "clEnqueueFillBuffer");
       check(clSetEventCallback(event, CL_RUNNING, workInEvent, &work), "clSetEventCallback");
       check(clFlush(queue), "clFlush");
       check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
     }},
    {"native kernel",
     [](Pair &, const CommandQueue &queue, Work &work) {
       Work *argument = &work;
       check(clEnqueueNativeKernel(queue, workInNativeKernel, &argument, sizeof argument, 0, nullptr, nullptr, 0,
                                   nullptr, nullptr),
             "clEnqueueNativeKernel");
       check(clFlush(queue), "clFlush");
     }},
    {"SVM free callback",
     [](Pair &pair, const CommandQueue &queue, Work &work) {
       void *memory = clSVMAlloc(pair.context, CL_MEM_READ_WRITE, 64, 0);
       check(clEnqueueSVMFree(queue, 1, &memory, workInFree, &work, 0, nullptr, nullptr), "clEnqueueSVMFree");
       check(clFlush(queue), "clFlush");
     }},
    {"destructor callback",
     [](Pair &pair, const CommandQueue &queue, Work &work) {
       cl_int code = CL_SUCCESS;
       Memory memory(clCreateBuffer(pair.context, CL_MEM_READ_WRITE, 64, nullptr, &code));
       check(clSetMemObjectDestructorCallback(memory, workInDestructor, &work), "clSetMemObjectDestructorCallback");
       const int zero = 0;
       check(clEnqueueFillBuffer(queue, memory, &zero, 4, 0, 64, 0, nullptr, nullptr), "clEnqueueFillBuffer");
       check(clFlush(queue), "clFlush");
     }},
    {"build callback",
     [](Pair &pair, const CommandQueue &, Work &work) {
       cl_int code = CL_SUCCESS;
       const char *source = "kernel void k() {}";
       const Program program(clCreateProgramWithSource(pair.context, 1, &source, nullptr, &code));
       check(clBuildProgram(program, 0, nullptr, "", workInBuild, &work), "clBuildProgram");
     }},
};

} // namespace

TEST_CASE("blocking calls in all code that OpenCL calls back", "[host_functions]") {
  Pair pair;
  for (const auto &[name, call] : kCallers)
    for (int at : {0, 1})
      for (int round = 0; round < 10; ++round) {
        INFO(name << (at == 0 ? ", of the same device" : ", of another device") << ", round " << round);
        auto work = std::make_unique<Work>(pair, makeQueue(pair.context, 0, pair.devices[at]), round + 1);
        call(pair, round % 2 == 0 ? pair.queues[0] : pair.unordered[0], *work);
        const bool done = eventually([&] { return work->done.load(); });
        if (!done)
          (void)work.release(); // a host function may still use it
        REQUIRE(done);
        check(clFinish(pair.queues[0]), "clFinish");
        check(clFinish(pair.unordered[0]), "clFinish");
      }
}

TEST_CASE("native kernels of an out-of-order queue wait for each other's user events", "[host_functions]") {
  Pair pair;
  struct Step {
    cl_event before, after;
  };
  for (int round = 0; round < 20; ++round) {
    constexpr int kSteps = 6;
    std::vector<Event> gates;
    cl_int code = CL_SUCCESS;
    for (int i = 0; i <= kSteps; ++i)
      gates.emplace_back(clCreateUserEvent(pair.context, &code));
    // Kernels that come first wait for those that come later.
    for (int i = kSteps; i-- > 0;) {
      Step step{gates[i], gates[i + 1]};
      const auto run = [](void *argument) {
        const Step mine = *static_cast<Step *>(argument);
        if (clWaitForEvents(1, &mine.before) == CL_SUCCESS)
          clSetUserEventStatus(mine.after, CL_COMPLETE);
      };
      check(clEnqueueNativeKernel(pair.unordered[i % 2], run, &step, sizeof step, 0, nullptr, nullptr, 0, nullptr,
                                  nullptr),
            "clEnqueueNativeKernel");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(300 * round));
    check(clSetUserEventStatus(gates[0], CL_COMPLETE), "clSetUserEventStatus");
    REQUIRE(eventually([&] {
      cl_int status = 1;
      clGetEventInfo(gates[kSteps], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
      return status == CL_COMPLETE;
    }));
    for (const CommandQueue &queue : pair.unordered)
      check(clFinish(queue), "clFinish");
  }
}

TEST_CASE("a lock held during a blocking call may be needed by a callback", "[host_functions]") {
  const Session cl;
  const CommandQueue other = makeQueue(cl.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static std::mutex mutex;
  static std::atomic<int> calls;
  calls = 0;
  const Memory data = cl.buffer(std::vector<int>(64));
  for (int round = 0; round < 50; ++round) {
    // A buffer for this round, because nothing orders the commands of different rounds.
    const Memory filled = cl.buffer(std::vector<int>(64));
    cl_int code = CL_SUCCESS;
    const Event gate(clCreateUserEvent(cl.context, &code));
    Event event;
    const int zero = 0;
    check(clEnqueueFillBuffer(other, filled, &zero, 4, 0, 256, 1, gate.address(), event.out()), "clEnqueueFillBuffer");
    const auto callback = [](cl_event, cl_int, void *) {
      const std::lock_guard lock(mutex);
      ++calls;
    };
    check(clSetEventCallback(event, CL_COMPLETE, callback, nullptr), "clSetEventCallback");
    std::thread setter;
    {
      const std::lock_guard lock(mutex);
      setter = std::thread([&] { clSetUserEventStatus(gate, CL_COMPLETE); });
      for (int i = 0; i < 20; ++i)
        cl.read<int>(data);
    }
    setter.join();
  }
  CHECK(eventually([] { return calls == 50; }));
}
