// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Events, user events and their callbacks.

#include "commands/event.h"

#include "api/entry.h"
#include "api/info.h"
#include "commands/command.h"

#include <algorithm>
#include <atomic>
#include <cassert>

namespace lanecl::icd {

// Until the last part is complete, returns the most advanced status of the parts, but no more than "running". A failed
// command has the status of the part that failed.
scheduler::Status Event::statusOfParts() const {
  assert(parts_ && !isUserEvent() && "only commands of several queues have parts");
  scheduler::Status status = progress_->status();
  for (const scheduler::DependencyPtr &command : parts_->commands) {
    const scheduler::Status other = command->status();
    if (status > scheduler::kRunning)
      status = std::min(status, std::max(other, scheduler::kRunning));
    else if (status == scheduler::kWaitListFailed && other < scheduler::kComplete)
      return other; // the part that failed first, not those that failed because they wait for it
  }
  return status;
}

// Returns when the parts were queued and submitted, when the first of them started and when the last ended.
scheduler::Times Event::timesOfParts() const {
  const scheduler::Times begin = parts_->begin->times(), end = progress_->times();
  scheduler::Times times{begin.queued, begin.ended, end.ended, end.ended};
  for (const scheduler::DependencyPtr &command : parts_->commands)
    times.started = std::min(times.started, command->times().started);
  // Parts in queues without profiling have the time 0. The command then counts as started when it was submitted.
  times.started = std::max(times.started, times.submitted);
  return times;
}

// A callback for "submitted" or "running" is called by the first part that reaches that status, and only once.
void Event::onStatus(scheduler::Status when, std::function<void(scheduler::Status)> callback) const {
  if (!parts_ || when == scheduler::kComplete)
    return progress_->onStatus(when, std::move(callback));
  struct Once {
    std::function<void(scheduler::Status)> callback;
    std::atomic<bool> called{false};
  };
  const auto once = std::make_shared<Once>(std::move(callback));
  const auto call = [once](scheduler::Status status) {
    if (!once->called.exchange(true))
      once->callback(status);
  };
  for (const scheduler::DependencyPtr &command : parts_->commands)
    command->onStatus(when, call);
  progress_->onStatus(when, call);
}

namespace {

using Notify = void(CL_CALLBACK *)(cl_event, cl_int, void *);

Result<Ref<Event>> createUserEvent(cl_context context) {
  if (cl_int code = validate(context))
    return Error{code};
  return make<Event>(objectOf(context));
}

cl_int setUserStatus(cl_event handle, cl_int status) {
  if (cl_int code = validate(handle))
    return code;
  Event &event = objectOf(handle);
  // CL_INVALID_EVENT if event is not a valid user event object.
  if (!event.isUserEvent())
    return CL_INVALID_EVENT;
  // CL_INVALID_VALUE if the execution_status is not CL_COMPLETE or a negative integer value.
  if (status > CL_COMPLETE)
    return CL_INVALID_VALUE;
  // CL_INVALID_OPERATION if the execution_status for event has already been changed by a previous call.
  const Ref<Event> alive(event);
  noteUserEventSet(event.order());
  return event.progress()->setUserStatus(status) ? CL_SUCCESS : CL_INVALID_OPERATION;
}

cl_int waitForEvents(cl_uint count, const cl_event *events) {
  // CL_INVALID_VALUE if num_events is zero or event_list is NULL.
  if (count == 0 || !events)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (cl_int code = validate(events[i]))
      return code;
    // CL_INVALID_CONTEXT if events specified in event_list do not belong to the same context.
    if (&objectOf(events[i]).context() != &objectOf(events[0]).context())
      return CL_INVALID_CONTEXT;
  }
  WaitList pending;
  std::vector<CommandOrder::Id> seen;
  for (cl_uint i = 0; i < count; ++i) {
    // WaitArguments starts the commands that the event depends on, so no queue has to be flushed.
    pending.push_back(objectOf(events[i]).progress());
    if (const CommandOrder::Id order = objectOf(events[i]).order())
      seen.push_back(order);
  }
  cl_int result = CL_SUCCESS;
  for (const scheduler::DependencyPtr &event : pending) {
    event->wait();
    // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events is negative.
    if (event->status() < 0)
      result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  noteSeen(seen);
  return result;
}

cl_int setCallback(cl_event handle, cl_int type, Notify notify, void *user_data) {
  if (cl_int code = validate(handle))
    return code;
  // CL_INVALID_VALUE if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, CL_RUNNING, or
  // CL_COMPLETE.
  if (!notify || (type != CL_SUBMITTED && type != CL_RUNNING && type != CL_COMPLETE))
    return CL_INVALID_VALUE;
  const Ref<Event> event(objectOf(handle));
  event->onStatus(type, [=](scheduler::Status status) {
    if (status <= CL_COMPLETE && event->order() != 0)
      noteSeen({event->order()});
    // The callback gets the status that it was registered for, even if the command has advanced since, or the error.
    notify(event->handle(), status < 0 ? event->status() : type, user_data);
  });
  return CL_SUCCESS;
}

cl_int releaseEvent(cl_event handle) {
  if (cl_int code = validate(handle))
    return code;
  const Ref<Event> event(objectOf(handle));
  if (!event->releaseApplication())
    return CL_INVALID_EVENT;
  // Nobody can complete a user event after its release, and commands that depend on it would wait for ever. They fail.
  if (event->isUserEvent() && event->applicationReferences() == 0) {
    noteUserEventSet(event->order());
    event->progress()->setUserStatus(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  return CL_SUCCESS;
}

// Returns the event's status, and tells check mode if the application sees that the command is complete.
cl_int statusSeen(const Event &event) {
  const cl_int status = event.poll();
  if (status <= CL_COMPLETE && event.order() != 0)
    noteSeen({event.order()});
  return status;
}

cl_int eventInfo(cl_event handle, cl_event_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  Event &event = objectOf(handle);
  switch (name) {
  case CL_EVENT_COMMAND_QUEUE: return info.value<cl_command_queue>(event.queue() ? event.queue()->handle() : nullptr);
  case CL_EVENT_CONTEXT: return info.value<cl_context>(event.context().handle());
  case CL_EVENT_COMMAND_TYPE: return info.value<cl_command_type>(event.type());
  case CL_EVENT_COMMAND_EXECUTION_STATUS: return info.value<cl_int>(statusSeen(event));
  case CL_EVENT_REFERENCE_COUNT: return info.value<cl_uint>(event.applicationReferences());
  default: return CL_INVALID_VALUE;
  }
}

cl_int profilingInfo(cl_event handle, cl_profiling_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  Event &event = objectOf(handle);
  // CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue, if the
  // execution status of the command identified by event is not CL_COMPLETE, or if event is a user event object. If the
  // command spans several queues, it is enough that one of them has that flag.
  if (!event.isTimed() || statusSeen(event) != scheduler::kComplete)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  const scheduler::Times times = event.times();
  switch (name) {
  case CL_PROFILING_COMMAND_QUEUED: return info.value<cl_ulong>(times.queued);
  case CL_PROFILING_COMMAND_SUBMIT: return info.value<cl_ulong>(times.submitted);
  case CL_PROFILING_COMMAND_START: return info.value<cl_ulong>(times.started);
  case CL_PROFILING_COMMAND_END:
  case CL_PROFILING_COMMAND_COMPLETE: return info.value<cl_ulong>(times.ended); // no child kernels
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createUserEvent(context); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int status) {
  return entry([&] { return setUserStatus(event, status); });
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *events) {
  return entry([&] { return waitForEvents(count, events); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int type, Notify notify, void *user_data) {
  return entry([&] { return setCallback(event, type, notify, user_data); });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return entry([&] { return retain(event); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return entry([&] { return releaseEvent(event); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t size, void *value,
                                               size_t *size_ret) {
  return entry([&] { return eventInfo(event, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t size,
                                                        void *value, size_t *size_ret) {
  return entry([&] { return profilingInfo(event, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}
