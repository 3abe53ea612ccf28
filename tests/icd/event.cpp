// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Events: status, profiling, user events, callbacks, and failures that propagate.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <thread>

using namespace lanecl::test;

namespace {

cl_int status(const Event &event) {
  cl_int value = 99;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr), "clGetEventInfo");
  return value;
}

Event fillAfter(const Session &cl, const Memory &memory, int value, const Event &wait) {
  Event event;
  check(clEnqueueFillBuffer(cl.queue, memory, &value, sizeof value, 0, 64, 1, wait.address(), event.out()),
        "clEnqueueFillBuffer");
  return event;
}

void CL_CALLBACK count(cl_event, cl_int status, void *counter) {
  static_cast<std::atomic<int> *>(counter)->fetch_add(status < 0 ? 100 : 1);
}

bool eventually(const std::atomic<int> &counter, int expected) {
  for (int i = 0; i < 2000 && counter != expected; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return counter == expected;
}

} // namespace

TEST_CASE("a user event holds commands back until it is set", "[event]") {
  Session cl;
  Memory memory = cl.buffer(std::vector<int>(16, 0));
  Event gate = userEvent(cl.context);
  CHECK(status(gate) == CL_SUBMITTED);
  Event fill = fillAfter(cl, memory, 5, gate);
  CHECK(status(fill) > CL_COMPLETE);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, fill.address()) == CL_SUCCESS);
  CHECK(status(fill) == CL_COMPLETE);
  CHECK(cl.read<int>(memory) == std::vector<int>(16, 5));
}

TEST_CASE("user events refuse what the specification refuses", "[event]") {
  Session cl;
  Event gate = userEvent(cl.context);
  CHECK(clSetUserEventStatus(gate, CL_RUNNING) == CL_INVALID_VALUE);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_INVALID_OPERATION);
  Event marker;
  REQUIRE(clEnqueueMarkerWithWaitList(cl.queue, 0, nullptr, marker.out()) == CL_SUCCESS);
  CHECK(clSetUserEventStatus(marker, CL_COMPLETE) == CL_INVALID_EVENT);
  CHECK(clSetUserEventStatus(nullptr, CL_COMPLETE) == CL_INVALID_EVENT);
  cl_int code = 1;
  CHECK(clCreateUserEvent(nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
}

TEST_CASE("a failed event fails what waits for it, and the queue goes on", "[event]") {
  Session cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Memory memory = cl.buffer(std::vector<int>(16, 1));
  Event gate = userEvent(cl.context);
  Event first = fillAfter(cl, memory, 2, gate), second = fillAfter(cl, memory, 3, first);
  REQUIRE(clSetUserEventStatus(gate, -77) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, second.address()) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(status(first) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(status(second) < 0);
  CHECK(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(cl.read<int>(memory) == std::vector<int>(16, 1));
}

TEST_CASE("a blocking read reports the failure of what it waits for", "[event]") {
  Session cl;
  Memory memory = cl.bytes(64);
  Event gate = userEvent(cl.context);
  REQUIRE(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
  char host[64];
  CHECK(clEnqueueReadBuffer(cl.queue, memory, CL_TRUE, 0, 64, host, 1, gate.address(), nullptr) ==
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("a released user event leaves no command waiting", "[event]") {
  Session cl;
  Memory memory = cl.bytes(64);
  Event fill;
  {
    Event gate = userEvent(cl.context);
    fill = fillAfter(cl, memory, 1, gate);
  }
  CHECK(clWaitForEvents(1, fill.address()) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("callbacks run once for each registration", "[event]") {
  Session cl;
  Memory memory = cl.bytes(64);
  Event gate = userEvent(cl.context);
  Event fill = fillAfter(cl, memory, 5, gate);
  std::atomic<int> complete{0}, submitted{0};
  REQUIRE(clSetEventCallback(fill, CL_COMPLETE, count, &complete) == CL_SUCCESS);
  REQUIRE(clSetEventCallback(fill, CL_COMPLETE, count, &complete) == CL_SUCCESS);
  REQUIRE(clSetEventCallback(fill, CL_SUBMITTED, count, &submitted) == CL_SUCCESS);
  CHECK(complete == 0);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(eventually(complete, 2));
  CHECK(eventually(submitted, 1));
  REQUIRE(clSetEventCallback(fill, CL_COMPLETE, count, &complete) == CL_SUCCESS); // after the command has completed
  CHECK(eventually(complete, 3));
}

TEST_CASE("a callback receives the error", "[event]") {
  Session cl;
  Event gate = userEvent(cl.context);
  std::atomic<int> heard{0};
  REQUIRE(clSetEventCallback(gate, CL_COMPLETE, count, &heard) == CL_SUCCESS);
  REQUIRE(clSetUserEventStatus(gate, -3) == CL_SUCCESS);
  CHECK(eventually(heard, 100));
}

TEST_CASE("callbacks may enqueue and release", "[event]") {
  Session cl;
  static Session *session;
  session = &cl;
  static std::atomic<int> done;
  done = 0;
  Event gate = userEvent(cl.context);
  const auto again = [](cl_event, cl_int, void *) {
    Event marker;
    clEnqueueMarkerWithWaitList(session->queue, 0, nullptr, marker.out());
    clSetEventCallback(marker, CL_COMPLETE, [](cl_event, cl_int, void *) { ++done; }, nullptr);
    clFlush(session->queue);
  };
  REQUIRE(clSetEventCallback(gate, CL_COMPLETE, again, nullptr) == CL_SUCCESS);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(eventually(done, 1));
}

TEST_CASE("callback registration refuses what the specification refuses", "[event]") {
  Session cl;
  Event gate = userEvent(cl.context);
  CHECK(clSetEventCallback(gate, CL_COMPLETE, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetEventCallback(gate, CL_QUEUED, count, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetEventCallback(nullptr, CL_COMPLETE, count, nullptr) == CL_INVALID_EVENT);
}

TEST_CASE("profiling times are in order", "[event]") {
  Session cl(CL_QUEUE_PROFILING_ENABLE);
  Memory memory = cl.bytes(1 << 20);
  const int value = 1;
  Event event;
  REQUIRE(clEnqueueFillBuffer(cl.queue, memory, &value, 4, 0, 1 << 20, 0, nullptr, event.out()) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  cl_ulong last = 1;
  for (cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                 CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    cl_ulong time = 0;
    REQUIRE(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr) == CL_SUCCESS);
    CHECK(time >= last);
    last = time;
  }
  cl_ulong host = 0;
  REQUIRE(clGetHostTimer(cl.device, &host) == CL_SUCCESS);
  CHECK(host >= last); // it is the same clock
  CHECK(clGetEventProfilingInfo(event, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("profiling is not available if it was not requested", "[event]") {
  Session cl;
  Event marker;
  REQUIRE(clEnqueueMarkerWithWaitList(cl.queue, 0, nullptr, marker.out()) == CL_SUCCESS);
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  cl_ulong time = 0;
  CHECK(clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr) ==
        CL_PROFILING_INFO_NOT_AVAILABLE);
  Event gate = userEvent(cl.context);
  CHECK(clGetEventProfilingInfo(gate, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr) ==
        CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST_CASE("event queries", "[event]") {
  Session cl;
  Memory memory = cl.bytes(64);
  char host[64];
  Event read;
  REQUIRE(clEnqueueReadBuffer(cl.queue, memory, CL_FALSE, 0, 64, host, 0, nullptr, read.out()) == CL_SUCCESS);
  cl_command_type type = 0;
  CHECK(clGetEventInfo(read, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr) == CL_SUCCESS);
  CHECK(type == CL_COMMAND_READ_BUFFER);
  cl_command_queue queue = nullptr;
  CHECK(clGetEventInfo(read, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr) == CL_SUCCESS);
  CHECK(queue == cl.queue.get());
  CHECK(clGetEventInfo(userEvent(cl.context), CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr) == CL_SUCCESS);
  CHECK(queue == nullptr);
  CHECK(clGetEventInfo(read, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clWaitForEvents(1, read.address()) == CL_SUCCESS);
}

TEST_CASE("wait lists are checked", "[event]") {
  Session cl, other;
  Memory memory = cl.bytes(64);
  const int value = 0;
  const auto fill = [&](cl_uint count, const cl_event *events) {
    return clEnqueueFillBuffer(cl.queue, memory, &value, 4, 0, 64, count, events, nullptr);
  };
  Event gate = userEvent(cl.context), foreign = userEvent(other.context);
  cl_event none = nullptr;
  CHECK(fill(1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(fill(0, gate.address()) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(fill(1, &none) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(fill(1, foreign.address()) == CL_INVALID_CONTEXT);
  CHECK(clWaitForEvents(0, gate.address()) == CL_INVALID_VALUE);
  CHECK(clWaitForEvents(1, nullptr) == CL_INVALID_VALUE);
  CHECK(clWaitForEvents(1, &none) == CL_INVALID_EVENT);
  const cl_event mixed[] = {gate, foreign};
  CHECK(clWaitForEvents(2, mixed) == CL_INVALID_CONTEXT);
}
