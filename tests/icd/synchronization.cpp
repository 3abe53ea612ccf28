// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Markers, barriers and their deprecated forms.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

cl_int status(const Event &event) {
  cl_int value = 99;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr), "clGetEventInfo");
  return value;
}

void fill(const Session &cl, const Memory &memory, int value, const Event *wait = nullptr) {
  check(clEnqueueFillBuffer(cl.queue, memory, &value, sizeof value, 0, 64, wait ? 1 : 0,
                            wait ? wait->address() : nullptr, nullptr),
        "clEnqueueFillBuffer");
}

} // namespace

TEST_CASE("a marker completes after everything before it", "[synchronization]") {
  Session cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Memory memory = cl.bytes(64);
  Event gate = userEvent(cl.context), marker;
  fill(cl, memory, 1, &gate);
  REQUIRE(clEnqueueMarkerWithWaitList(cl.queue, 0, nullptr, marker.out()) == CL_SUCCESS);
  CHECK(status(marker) > CL_COMPLETE);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, marker.address()) == CL_SUCCESS);
}

TEST_CASE("commands after a barrier wait for those before it", "[synchronization]") {
  Session cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Memory memory = cl.buffer(std::vector<int>(16, 0));
  Event gate = userEvent(cl.context);
  fill(cl, memory, 1, &gate);
  REQUIRE(clEnqueueBarrierWithWaitList(cl.queue, 0, nullptr, nullptr) == CL_SUCCESS);
  fill(cl, memory, 2);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(cl.read<int>(memory) == std::vector<int>(16, 2));
}

TEST_CASE("the deprecated forms do the same", "[synchronization]") {
  Session cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Memory memory = cl.buffer(std::vector<int>(16, 0));
  Event gate = userEvent(cl.context), marker;
  REQUIRE(clEnqueueWaitForEvents(cl.queue, 1, gate.address()) == CL_SUCCESS);
  fill(cl, memory, 1);
  REQUIRE(clEnqueueBarrier(cl.queue) == CL_SUCCESS);
  fill(cl, memory, 2);
  REQUIRE(clEnqueueMarker(cl.queue, marker.out()) == CL_SUCCESS);
  CHECK(status(marker) > CL_COMPLETE);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, marker.address()) == CL_SUCCESS);
  CHECK(cl.read<int>(memory) == std::vector<int>(16, 2));
}

TEST_CASE("an in-order queue keeps its order", "[synchronization]") {
  Session cl;
  Memory memory = cl.buffer(std::vector<int>(16, 0));
  for (int i = 1; i <= 200; ++i)
    fill(cl, memory, i);
  CHECK(cl.read<int>(memory) == std::vector<int>(16, 200));
}

TEST_CASE("events order commands of two queues", "[synchronization]") {
  Session cl;
  CommandQueue second = makeQueue(cl.context);
  Memory memory = cl.buffer(std::vector<int>(16, 0));
  Event gate = userEvent(cl.context), first;
  const int one = 1, two = 2;
  REQUIRE(clEnqueueFillBuffer(second, memory, &one, 4, 0, 64, 1, gate.address(), first.out()) == CL_SUCCESS);
  REQUIRE(clEnqueueFillBuffer(cl.queue, memory, &two, 4, 0, 64, 1, first.address(), nullptr) == CL_SUCCESS);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(cl.read<int>(memory) == std::vector<int>(16, 2));
}

TEST_CASE("synchronization refuses what the specification refuses", "[synchronization]") {
  Session cl;
  cl_event none = nullptr;
  CHECK(clEnqueueMarker(cl.queue, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueWaitForEvents(cl.queue, 0, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueWaitForEvents(cl.queue, 1, &none) == CL_INVALID_EVENT);
  CHECK(clEnqueueBarrier(nullptr) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clEnqueueMarkerWithWaitList(cl.queue, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(clEnqueueBarrierWithWaitList(cl.queue, 1, &none, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
}
