// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What all clEnqueue… have in common: the wait list, the event that is returned, blocking.
#pragma once

#include "api/result.h"
#include "check/command_checks.h"
#include "commands/event.h"

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

// Receives commands instead of the queue: implemented by command buffers.
class Recorder {
public:
  virtual cl_int checkSyncPoints() const = 0;
  virtual cl_int add(scheduler::Launch launch) = 0; // only after checkSyncPoints() has returned CL_SUCCESS

protected:
  ~Recorder() = default;
};

// Where a command goes, and what it waits for there.
struct Destination {
  cl_command_queue queue;
  Waiting waiting;
  Recorder *recorder = nullptr; // of a command buffer that was made for the queue; then `waiting` is not used
};

// How a command begins that moves so many bytes. Moving a few takes less time than handing the command to another
// thread.
scheduler::Start startOf(bool blocking, size_t bytes);

class Command {
public:
  // Where commands of a queue are, for those of other queues that come behind it.
  struct Gate {
    scheduler::EventPtr event;
    CommandOrder::Id order;
  };

  // Fails before anything is enqueued: makes the wait list and the event.
  static Result<Command> prepare(CommandQueue &queue, cl_command_type type, const Waiting &waiting);
  // For a queue that validate() has accepted.
  static Result<Command> prepare(const Destination &to, cl_command_type type);

  // For check mode, before it is run: what it uses, as "its source", and of what it is launched.
  void reads(const void *begin, size_t bytes, const char *what);
  void writes(const void *begin, size_t bytes, const char *what);
  void uses(MemoryUse::Access access, const std::byte *begin, const Rect &rect, const Box &box, const char *what);
  // Of a transfer between a memory object and the host, the side of the host.
  void usesHost(MemoryUse use);
  void uses(std::vector<MemoryUse> all);
  void startsKernel(const std::string &name);
  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in the wait list is
  // negative: for the few commands that tell it although they do not block.
  cl_int checkWaitList() const;
  void isBehind(CommandOrder::Id other);
  void isBehind(const Gate &gate);
  void spansQueues(); // its event is of no queue
  bool isChecked() const { return note_ != nullptr; }
  CommandOrder::Id order() const { return order_; } // after it was run; 0: not checked

  // One of these. With Start::ByCaller it returns when the work is done.
  cl_int run(scheduler::Work work, scheduler::Start start = scheduler::Start::Now);
  cl_int runHostFunction(scheduler::Work function); // code of the application; never recorded
  // Done when somebody completes the user event that `begin` is given, once everything it waits for is done.
  cl_int runUntil(std::function<void(const scheduler::EventPtr &done)> begin);
  cl_int run(scheduler::Launch launch, bool blocking = false);
  cl_int run(scheduler::BatchPtr batch);
  // run_chunk(begin, end) for parts of [0, bytes), by several threads when there is much to do.
  cl_int runInChunks(size_t bytes, bool blocking, std::function<void(size_t begin, size_t end)> run_chunk);
  cl_int mark();
  cl_int barrier();

  // One of these, of a command of several queues. It is a part of the one that spans them, in a queue that has no other
  // part of it, ...
  Gate gate();
  // ... or that command itself: a batch, or what `begin_parts` enqueues behind the event that it is given.
  Gate runSpanning(scheduler::BatchPtr batch);
  Gate runSpanning(const std::function<WaitList(const scheduler::EventPtr &begin)> &begin_parts);

private:
  void noteOrder(CommandOrder::Role role = CommandOrder::Role::Command);
  cl_int enqueued(scheduler::EventPtr progress, bool blocking);

  CommandQueue *queue_ = nullptr;
  Recorder *recorder_ = nullptr; // then nothing of what follows is used
  WaitList wait_list_;
  Ref<Event> event_; // empty when the application wants none
  cl_event *event_out_ = nullptr;
  std::unique_ptr<CommandNote> note_; // null: commands are not checked
  CommandOrder::Id order_ = 0;
};

} // namespace lanecl::icd
