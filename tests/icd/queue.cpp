// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Command queues.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

cl_int withProperties(const std::vector<cl_queue_properties> &list) {
  cl_int code = 1;
  CommandQueue queue(clCreateCommandQueueWithProperties(makeContext(), laneclDevice(), list.data(), &code));
  CHECK((queue.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

} // namespace

TEST_CASE("a queue reports what it was created with", "[queue]") {
  Session cl(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue_properties bits = 0;
  CHECK(clGetCommandQueueInfo(cl.queue, CL_QUEUE_PROPERTIES, sizeof bits, &bits, nullptr) == CL_SUCCESS);
  CHECK(bits == (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
  cl_queue_properties list[3];
  size_t size = 0;
  CHECK(clGetCommandQueueInfo(cl.queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size) == CL_SUCCESS);
  CHECK(size == sizeof list);
  cl_context context = nullptr;
  CHECK(clGetCommandQueueInfo(cl.queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr) == CL_SUCCESS);
  CHECK(context == cl.context.get());
  cl_uint on_device_size = 0;
  CHECK(clGetCommandQueueInfo(cl.queue, CL_QUEUE_SIZE, sizeof on_device_size, &on_device_size, nullptr) ==
        CL_INVALID_COMMAND_QUEUE);
  CHECK(clGetCommandQueueInfo(cl.queue, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("the older function makes queues too", "[queue]") {
  Context context = makeContext();
  cl_int code = 1;
  CommandQueue queue(clCreateCommandQueue(context, laneclDevice(), CL_QUEUE_PROFILING_ENABLE, &code));
  CHECK(code == CL_SUCCESS);
  CHECK(clCreateCommandQueue(context, laneclDevice(), 1 << 20, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("queue properties that do not exist are refused", "[queue]") {
  CHECK(withProperties({0}) == CL_SUCCESS);
  CHECK(withProperties({CL_QUEUE_PROPERTIES, 1 << 20, 0}) == CL_INVALID_VALUE);
  CHECK(withProperties({0x9999, 1, 0}) == CL_INVALID_VALUE);
  CHECK(withProperties({CL_QUEUE_SIZE, 1024, 0}) == CL_INVALID_VALUE);
  CHECK(withProperties({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}) ==
        CL_INVALID_QUEUE_PROPERTIES);
  CHECK(withProperties({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}) == CL_INVALID_VALUE);
}

TEST_CASE("a queue may have a priority", "[queue]") {
  for (cl_queue_properties priority :
       {CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_LOW_KHR}) {
    CHECK(withProperties({CL_QUEUE_PRIORITY_KHR, priority, 0}) == CL_SUCCESS);
    CHECK(withProperties({CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_PRIORITY_KHR, priority, 0}) ==
          CL_SUCCESS);
  }
  CHECK(withProperties({CL_QUEUE_PRIORITY_KHR, 0, 0}) == CL_INVALID_VALUE);
  CHECK(withProperties({CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR | CL_QUEUE_PRIORITY_LOW_KHR, 0}) ==
        CL_INVALID_VALUE);
  CHECK(withProperties({CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_KHR,
                        CL_QUEUE_PRIORITY_HIGH_KHR, 0}) == CL_INVALID_VALUE);
  CHECK(withProperties({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                        CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0}) == CL_INVALID_QUEUE_PROPERTIES);
}

TEST_CASE("hints about a queue's energy are checked and returned", "[queue]") {
  for (cl_queue_properties hint : {CL_QUEUE_THROTTLE_HIGH_KHR, CL_QUEUE_THROTTLE_MED_KHR, CL_QUEUE_THROTTLE_LOW_KHR}) {
    CHECK(withProperties({CL_QUEUE_THROTTLE_KHR, hint, 0}) == CL_SUCCESS);
    CHECK(withProperties({CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_THROTTLE_KHR, hint, 0}) ==
          CL_SUCCESS);
  }
  CHECK(withProperties({CL_QUEUE_THROTTLE_KHR, 0, 0}) == CL_INVALID_VALUE);
  CHECK(withProperties({CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_HIGH_KHR | CL_QUEUE_THROTTLE_LOW_KHR, 0}) ==
        CL_INVALID_VALUE);
}

namespace {

// The kernel `wait` ends when `set` has run.
struct Waiters {
  Session cl;
  Program program = cl.build("kernel void wait(global volatile int *go_on) { while (!*go_on); }\n"
                             "kernel void set(global int *go_on) { *go_on = 1; }");
  Kernel wait = cl.kernel(program, "wait"), set = cl.kernel(program, "set");
  Memory go_on = cl.buffer(std::vector<int>{0});
  Event event;

  // Launches that many work-groups and waits until they have started.
  void beginWaiting(cl_command_queue queue, size_t groups) {
    cl.setArguments(wait, go_on);
    cl.setArguments(set, go_on);
    const size_t local = 64, all = groups * local;
    REQUIRE(clEnqueueNDRangeKernel(queue, wait, 1, nullptr, &all, &local, 0, nullptr, event.out()) == CL_SUCCESS);
    REQUIRE(clFlush(queue) == CL_SUCCESS);
    cl_int status = CL_QUEUED;
    while (status > CL_RUNNING)
      REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS);
  }

  void endWaiting(cl_command_queue queue) {
    const size_t one = 1;
    REQUIRE(clEnqueueNDRangeKernel(queue, set, 1, nullptr, &one, &one, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  }
};

} // namespace

TEST_CASE("an urgent launch completes while a launch of low priority waits for it", "[queue][queue_waits]") {
  for (size_t groups : {1, 5000}) {
    Waiters waiters;
    const auto queueOf = [&](cl_queue_properties priority) {
      const cl_queue_properties list[] = {CL_QUEUE_PRIORITY_KHR, priority, 0};
      cl_int code = 1;
      CommandQueue queue(clCreateCommandQueueWithProperties(waiters.cl.context, waiters.cl.device, list, &code));
      REQUIRE(code == CL_SUCCESS);
      return queue;
    };
    CommandQueue low = queueOf(CL_QUEUE_PRIORITY_LOW_KHR), high = queueOf(CL_QUEUE_PRIORITY_HIGH_KHR);
    waiters.beginWaiting(low, groups);
    waiters.endWaiting(high);
  }
}

TEST_CASE("a launch waits in a loop for a launch of another queue", "[queue][queue_waits]") {
  for (size_t groups : {1, 2, 5000}) {
    Waiters waiters;
    CommandQueue other = makeQueue(waiters.cl.context);
    waiters.beginWaiting(waiters.cl.queue, groups);
    waiters.endWaiting(other);
  }
}

TEST_CASE("a launch waits in a loop for what another queue writes", "[queue][queue_waits]") {
  Waiters waiters;
  CommandQueue other = makeQueue(waiters.cl.context);
  waiters.beginWaiting(waiters.cl.queue, 100);
  const int go_on = 1;
  REQUIRE(clEnqueueWriteBuffer(other, waiters.go_on, CL_TRUE, 0, sizeof go_on, &go_on, 0, nullptr, nullptr) ==
          CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, waiters.event.address()) == CL_SUCCESS);
}

TEST_CASE("handles are checked", "[queue]") {
  cl_int code = 1;
  Context context = makeContext();
  CHECK(clCreateCommandQueue(context, nullptr, 0, &code) == nullptr);
  CHECK(code == CL_INVALID_DEVICE);
  Session cl;
  const auto not_a_queue = reinterpret_cast<cl_command_queue>(cl.context.get());
  CHECK(clFlush(not_a_queue) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clFinish(not_a_queue) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clSetCommandQueueProperty(cl.queue, 0, CL_TRUE, nullptr) == CL_INVALID_OPERATION);
  CHECK(clSetDefaultDeviceCommandQueue(cl.context, cl.device, cl.queue) == CL_INVALID_OPERATION);
}

TEST_CASE("commands outlive their queue", "[queue]") {
  Session cl;
  Memory memory = cl.buffer(std::vector<int>(1024, 1));
  Event event;
  {
    CommandQueue queue = makeQueue(cl.context);
    const int two = 2;
    REQUIRE(clEnqueueFillBuffer(queue, memory, &two, sizeof two, 0, 4096, 0, nullptr, event.out()) == CL_SUCCESS);
  }
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  CHECK(cl.read<int>(memory) == std::vector<int>(1024, 2));
}
