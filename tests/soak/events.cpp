// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jobs.h"

namespace lanecl::test::soak {

void waitForUserEvent(Shared &shared, Random &random) {
  constexpr size_t kItems = 256;
  const bool fails = oneIn(random, 2);
  cl_int code = CL_SUCCESS;
  CommandQueue queue = makeQueue(shared.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, shared.device);
  Memory memory(clCreateBuffer(shared.context, CL_MEM_READ_WRITE, kItems, nullptr, &code));
  check(code, "clCreateBuffer");
  Event gate(clCreateUserEvent(shared.context, &code));
  check(code, "clCreateUserEvent");

  // A chain behind the gate, of which each event is counted.
  Event last = gate;
  const size_t length = 1 + below(random, 8);
  for (size_t i = 0; i < length; ++i) {
    const auto value = cl_uchar(i);
    Event next;
    check(clEnqueueFillBuffer(queue, memory, &value, 1, 0, kItems, 1, last.address(), next.out()),
          "clEnqueueFillBuffer");
    countEnd(next, shared.tally);
    ++shared.tally.commands;
    last = std::move(next);
  }
  if (oneIn(random, 2))
    queue.reset(); // its commands still run
  check(clSetUserEventStatus(gate, fails ? -5 : CL_COMPLETE), "clSetUserEventStatus");
  expectCode(fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS, clWaitForEvents(1, last.address()),
             "clWaitForEvents");
  cl_int status = 1;
  check(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  if (fails ? status >= 0 : status != CL_COMPLETE)
    throw std::runtime_error("a command behind a user event ended with " + std::to_string(status));
}

void useOwnContext(Shared &shared, Random &random) {
  Context context = countedContext(shared.device, shared.tally);
  CommandQueue queue = makeQueue(context, 0, shared.device);
  cl_int code = CL_SUCCESS;
  Memory whole(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &code));
  check(code, "clCreateBuffer");
  const cl_buffer_region region{1024, 512};
  Memory part(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, "clCreateSubBuffer");
  if (oneIn(random, 2))
    whole.reset();
  if (oneIn(random, 2))
    context.reset();
  const cl_uchar value = 17;
  Event event;
  check(clEnqueueFillBuffer(queue, part, &value, 1, 0, 512, 0, nullptr, event.out()), "clEnqueueFillBuffer");
  countEnd(event, shared.tally);
  std::vector<cl_uchar> got(512);
  check(clEnqueueReadBuffer(queue, part, CL_TRUE, 0, 512, got.data(), 0, nullptr, nullptr), "clEnqueueReadBuffer");
  shared.tally.commands += 2;
  if (got != std::vector<cl_uchar>(512, value))
    throw std::runtime_error("a sub-buffer does not hold what it was filled with");
}

} // namespace lanecl::test::soak
