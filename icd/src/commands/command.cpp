// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prepares and enqueues the commands of all clEnqueue… functions.

#include "commands/command.h"

#include "commands/chunks.h"

#include <cassert>

namespace lanecl::icd {

Result<WaitList> makeWaitList(CommandQueue &queue, cl_uint count, const cl_event *events) {
  // CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list is greater than zero, or
  // event_wait_list is not NULL and num_events_in_wait_list is zero, ...
  if ((events == nullptr) != (count == 0))
    return Error{CL_INVALID_EVENT_WAIT_LIST};
  WaitList result;
  result.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    // ... or if event objects in event_wait_list are not valid events.
    Event *event = Event::cast(events[i]);
    if (!event)
      return Error{CL_INVALID_EVENT_WAIT_LIST};
    // CL_INVALID_CONTEXT if the context associated with command_queue and events in event_wait_list are not the same.
    if (&event->context() != &queue.context())
      return Error{CL_INVALID_CONTEXT};
    result.push_back(event->progress());
  }
  return result;
}

Result<Command> Command::prepare(CommandQueue &queue, cl_command_type type, const WaitArguments &waiting) {
  auto wait_list = makeWaitList(queue, waiting.count, waiting.events);
  if (!wait_list)
    return wait_list.error();
  Command command;
  command.queue_ = &queue;
  command.wait_list_ = std::move(*wait_list);
  command.event_out_ = waiting.event;
  if (waiting.event)
    command.event_ = make<Event>(queue, type);
  if (areCommandsChecked()) {
    command.note_ = std::make_unique<CommandNote>(CommandNote{.type = type, .kernel = {}, .wait_list = {}, .uses = {}});
    for (cl_uint i = 0; i < waiting.count; ++i)
      command.isBehind(objectOf(waiting.events[i]).order());
  }
  return command;
}

cl_int Command::checkWaitList() const {
  const bool failed =
      std::any_of(wait_list_.begin(), wait_list_.end(), [](const auto &event) { return event->status() < 0; });
  return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

void Command::reads(const void *begin, size_t bytes, const char *what) {
  assert(order_ == 0 && "the command was noted without this use");
  if (note_)
    note_->uses.push_back(MemoryUse::ofBytes(begin, bytes, MemoryUse::Access::Reads, what));
}

void Command::writes(const void *begin, size_t bytes, const char *what) {
  assert(order_ == 0 && "the command was noted without this use");
  if (note_)
    note_->uses.push_back(MemoryUse::ofBytes(begin, bytes, MemoryUse::Access::Writes, what));
}

void Command::uses(MemoryUse::Access access, const std::byte *begin, const Rect &rect, const Box &box,
                   const char *what) {
  assert(order_ == 0 && "the command was noted without this use");
  if (note_)
    note_->uses.push_back({begin, rect, box, access, what});
}

void Command::usesHost(MemoryUse use) {
  if (!note_)
    return;
  use.what = use.access == MemoryUse::Access::Writes ? "its destination" : "its source";
  use.of_host = true;
  note_->uses.push_back(std::move(use));
}

void Command::uses(std::vector<MemoryUse> all) {
  assert(order_ == 0 && "the command was noted without these uses");
  if (note_)
    note_->uses = std::move(all);
}

void Command::startsKernel(const std::string &name) {
  if (note_)
    note_->kernel = name;
}

void Command::isBehind(CommandOrder::Id other) {
  assert(order_ == 0 && "the command was noted without this dependency");
  if (note_)
    note_->wait_list.push_back(other);
}

void Command::isBehind(const Gate &gate) {
  assert(gate.event && "the gate was not enqueued");
  wait_list_.push_back(gate.event);
  isBehind(gate.order);
}

void Command::spansQueues() {
  if (event_)
    event_->leaveQueue();
}

// Notes the command before it is enqueued: nobody may wait for a command that is not noted.
CommandOrder::Id Command::noteOrder(CommandOrder::Role role) {
  if (!note_ || order_ != 0)
    return order_;
  const bool in_order = (queue_->properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  order_ = noteCommand({queue_, in_order}, role, std::move(*note_));
  if (event_)
    event_->setOrder(order_);
  return order_;
}

Result<Command> Command::prepare(const Destination &to, cl_command_type type) {
  if (!to.recorder)
    return prepare(objectOf(to.queue), type, to.waiting);
  if (cl_int code = to.recorder->checkSyncPoints())
    return Error{code};
  Command command;
  command.recorder_ = to.recorder;
  return command;
}

scheduler::Start startOf(bool blocking, size_t bytes) {
  constexpr size_t kFew = 16384;
  if (blocking)
    return scheduler::Start::ByCaller;
  return bytes <= kFew ? scheduler::Start::Deferred : scheduler::Start::Now;
}

cl_int Command::enqueued(scheduler::DependencyPtr progress, bool blocking) {
  assert(queue_ && !recorder_ && "a command that is recorded is not enqueued");
  if (event_) {
    event_->attach(progress);
    *event_out_ = event_.detach()->handle();
  }
  if (!blocking)
    return CL_SUCCESS;
  const Ref<CommandQueue> alive(*queue_);
  progress->wait();
  if (order_ != 0)
    noteSeen({order_});
  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the operation is blocking and the execution status of any of the
  // events in event_wait_list is a negative integer value. The scheduler gives the command that status.
  const scheduler::Status status = progress->status();
  return status < 0 ? status : CL_SUCCESS;
}

cl_int Command::run(scheduler::Work work, scheduler::Start start) {
  if (recorder_)
    return recorder_->add(inChunks(1, [work = std::move(work)](size_t, size_t) { work(); }));
  noteOrder();
  return enqueued(queue_->commands().enqueue(std::move(work), wait_list_, start), start == scheduler::Start::ByCaller);
}

cl_int Command::runHostFunction(scheduler::Work function) {
  noteOrder();
  return enqueued(queue_->commands().enqueueHostFunction(std::move(function), wait_list_), false);
}

cl_int Command::runUntil(std::function<void(const scheduler::DependencyPtr &done)> begin) {
  noteOrder();
  const scheduler::DependencyPtr done = queue_->device().scheduler().createUserEvent();
  const scheduler::DependencyPtr begun = queue_->commands().enqueue(
      [begin = std::move(begin), done] {
        begin(done);
        return scheduler::kComplete;
      },
      wait_list_);
  begun->onStatus(scheduler::kComplete, [done](scheduler::Status status) {
    if (status < 0) // a command that it waits for has failed, so `begin` was never called
      done->setUserStatus(status);
  });
  return enqueued(queue_->commands().enqueue([] { return scheduler::kComplete; }, {done}), false);
}

cl_int Command::run(scheduler::Launch launch, bool blocking) {
  noteOrder();
  return enqueued(queue_->commands().enqueue(std::move(launch), wait_list_), blocking);
}

cl_int Command::run(scheduler::BatchPtr batch) {
  noteOrder();
  return enqueued(queue_->commands().enqueue(std::move(batch), wait_list_), false);
}

cl_int Command::runInChunks(size_t bytes, bool blocking, std::function<void(size_t begin, size_t end)> run_chunk) {
  if (recorder_)
    return recorder_->add(inChunks(bytes, std::move(run_chunk)));
  if (bytes >= kWorthChunks)
    return run(inChunks(bytes, std::move(run_chunk)), blocking);
  return run(
      [bytes, run_chunk = std::move(run_chunk)] {
        run_chunk(0, bytes);
        return scheduler::kComplete;
      },
      startOf(blocking, bytes));
}

Command::Gate Command::gate() {
  noteOrder();
  return {queue_->commands().enqueueGate(wait_list_), order_};
}

Command::Gate Command::runSpanning(scheduler::BatchPtr batch) {
  noteOrder();
  scheduler::DependencyPtr progress = queue_->commands().enqueue(std::move(batch), wait_list_);
  enqueued(progress, false);
  return {std::move(progress), order_};
}

Command::Gate Command::runSpanning(const std::function<WaitList(const scheduler::DependencyPtr &begin)> &begin_parts) {
  noteOrder();
  const scheduler::DependencyPtr begin = queue_->commands().enqueueGate(wait_list_);
  WaitList parts = begin_parts(begin);
  scheduler::DependencyPtr end = queue_->commands().enqueueGate(parts);
  if (event_)
    event_->attachParts(begin, std::move(parts));
  enqueued(end, false);
  return {std::move(end), order_};
}

cl_int Command::mark() {
  noteOrder(CommandOrder::Role::Marker);
  return enqueued(queue_->commands().enqueueMarker(wait_list_), false);
}

cl_int Command::barrier() {
  noteOrder(CommandOrder::Role::Barrier);
  return enqueued(queue_->commands().enqueueBarrier(wait_list_), false);
}

} // namespace lanecl::icd
