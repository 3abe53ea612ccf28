// What all clEnqueue… have in common: the wait list, the event that is returned, blocking.
#pragma once

#include "event.h"
#include "result.h"

namespace lanecl::icd {

using WaitList = std::vector<scheduler::EventPtr>;

// The events of event_wait_list, checked against the queue's context.
Result<WaitList> makeWaitList(CommandQueue &queue, cl_uint count, const cl_event *events);

// The arguments that every clEnqueue… ends with.
struct Waiting {
  cl_uint count;
  const cl_event *events;
  cl_event *event; // out, may be null
};

class Command {
public:
  // Fails before anything is enqueued: makes the wait list and the event.
  static Result<Command> prepare(CommandQueue &queue, cl_command_type type, const Waiting &waiting);

  cl_int run(scheduler::Work work, bool blocking = false);
  cl_int run(scheduler::Launch launch);
  cl_int mark();
  cl_int barrier();

private:
  cl_int enqueued(scheduler::EventPtr progress, bool blocking);

  CommandQueue *queue_ = nullptr;
  WaitList wait_list_;
  Ref<Event> event_; // empty when the application wants none
  cl_event *event_out_ = nullptr;
};

} // namespace lanecl::icd
