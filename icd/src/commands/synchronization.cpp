// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Markers and barriers: the forms with wait lists, and the deprecated ones without.
#include "api/entry.h"
#include "commands/command.h"

namespace lanecl::icd {
namespace {

cl_int enqueueMarker(cl_command_queue queue, const WaitArguments &waiting) {
  if (cl_int code = validate(queue))
    return code;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_MARKER, waiting);
  return command ? command->mark() : command.code();
}

cl_int enqueueBarrier(cl_command_queue queue, const WaitArguments &waiting) {
  if (cl_int code = validate(queue))
    return code;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_BARRIER, waiting);
  return command ? command->barrier() : command.code();
}

cl_int enqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events) {
  if (cl_int code = validate(queue))
    return code;
  // CL_INVALID_VALUE if num_events is zero or event_list is NULL.
  if (count == 0 || !events)
    return CL_INVALID_VALUE;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_BARRIER, {count, events, nullptr});
  // CL_INVALID_EVENT, not the wait-list code, if event objects specified in event_list are not valid events.
  if (command.code() == CL_INVALID_EVENT_WAIT_LIST)
    return CL_INVALID_EVENT;
  return command ? command->barrier() : command.code();
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count,
                                                            const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueMarker(queue, {count, events, event}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count,
                                                             const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueBarrier(queue, {count, events, event}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event) {
  return entry([&] {
    if (cl_int code = validate(queue))
      return code;
    // CL_INVALID_VALUE if event is NULL.
    return event ? enqueueMarker(queue, {0, nullptr, event}) : cl_int(CL_INVALID_VALUE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
  return entry([&] { return enqueueBarrier(queue, {0, nullptr, nullptr}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events) {
  return entry([&] { return enqueueWaitForEvents(queue, count, events); });
}
