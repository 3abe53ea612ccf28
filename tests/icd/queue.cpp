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

TEST_CASE("a queue tells what it was made with", "[queue]") {
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

TEST_CASE("an urgent launch is done while a long one of a low priority runs", "[queue]") {
  Session cl;
  Program program = cl.build("kernel void run(global volatile int *go_on) {\n"
                             "  for (int i = 0; i < 2000 && !*go_on; ++i) ;\n"
                             "}\n"
                             "kernel void set(global int *p) { *p = 1; }");
  const auto queueOf = [&](cl_queue_properties priority) {
    const cl_queue_properties list[] = {CL_QUEUE_PRIORITY_KHR, priority, 0};
    cl_int code = 1;
    CommandQueue queue(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &code));
    REQUIRE(code == CL_SUCCESS);
    return queue;
  };
  CommandQueue low = queueOf(CL_QUEUE_PRIORITY_LOW_KHR), high = queueOf(CL_QUEUE_PRIORITY_HIGH_KHR);
  Memory go_on = cl.buffer(std::vector<int>{0});
  Kernel run = cl.kernel(program, "run"), set = cl.kernel(program, "set");
  cl.setArguments(run, go_on);
  cl.setArguments(set, go_on);
  // It ends when the urgent one has written, or after a quarter of a minute.
  const size_t many = size_t(1) << 26, local = 64, one = 1;
  Event event;
  REQUIRE(clEnqueueNDRangeKernel(low, run, 1, nullptr, &many, &local, 0, nullptr, event.out()) == CL_SUCCESS);
  REQUIRE(clFlush(low) == CL_SUCCESS);
  cl_int status = CL_QUEUED;
  while (status > CL_RUNNING)
    REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS);
  REQUIRE(clEnqueueNDRangeKernel(high, set, 1, nullptr, &one, &one, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clFinish(high) == CL_SUCCESS);
  CHECK(cl.read<int>(go_on) == std::vector<int>{1});
  CHECK(clFinish(low) == CL_SUCCESS);
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

TEST_CASE("commands outlive the queue they were given to", "[queue]") {
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
