// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Implements what all clEnqueue… functions have in common: the wait list, the event that is returned, and blocking.
#pragma once

#include "api/result.h"
#include "check/host/command_checks.h"
#include "commands/event.h"

namespace lanecl::icd {

using WaitList = std::vector<scheduler::DependencyPtr>;

// Returns the scheduler's events of event_wait_list. CL_INVALID_EVENT_WAIT_LIST and CL_INVALID_CONTEXT as the
// specification demands for every clEnqueue… function.
Result<WaitList> makeWaitList(CommandQueue &queue, cl_uint count, const cl_event *events);

// The last arguments of every clEnqueue… function.
struct WaitArguments {
  cl_uint count;
  const cl_event *events;
  cl_event *event; // out, may be null
};

// Receives commands instead of a queue. Command buffers implement it.
class Recorder {
public:
  // Checks the wait list of the command that is being recorded.
  virtual cl_int checkSyncPoints() const = 0;
  virtual cl_int add(scheduler::Launch launch) = 0; // only after checkSyncPoints() has returned CL_SUCCESS

protected:
  ~Recorder() = default;
};

// The queue or command buffer that a command goes to, and what the command waits for there.
struct Destination {
  cl_command_queue queue;
  WaitArguments waiting;
  // The command buffer that records the command for `queue`, which then does not use `waiting`.
  Recorder *recorder = nullptr;
};

// Returns how a command that moves `bytes` bytes is started. Moving a few bytes takes less time than handing the
// command to another thread, so such a command is left for a short time to the thread that will wait for it.
scheduler::Start startOf(bool blocking, size_t bytes);

// A command between the validation of its arguments and its enqueueing. Usage: prepare(), then for check mode the
// functions that describe what the command accesses, then exactly one of the functions that run it.
class Command {
public:
  // Stands for the commands that a queue had when the gate was enqueued. Commands of other queues can wait for it.
  struct Gate {
    scheduler::DependencyPtr event;
    CommandOrder::Id order;
  };

  // Makes the wait list and the event. It reports errors before anything is enqueued.
  static Result<Command> prepare(CommandQueue &queue, cl_command_type type, const WaitArguments &waiting);
  // The same for a queue or a command buffer. validate() must have accepted the queue.
  static Result<Command> prepare(const Destination &to, cl_command_type type);

  // The following functions describe the command for check mode, and do nothing outside it. They must be called before
  // the command is run. `what` is how a report calls the memory, for example "its source".
  void reads(const void *begin, size_t bytes, const char *what);
  void writes(const void *begin, size_t bytes, const char *what);
  void uses(MemoryUse::Access access, const std::byte *begin, const Rect &rect, const Box &box, const char *what);
  // Describes the host's side of a transfer between a memory object and the host.
  void usesHost(MemoryUse use);
  void uses(std::vector<MemoryUse> all);
  void startsKernel(const std::string &name);
  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in the wait list is
  // negative. Only a few commands report that although they do not block.
  cl_int checkWaitList() const;
  // Reveals check mode that the command comes after another one that is not in its wait list.
  void isBehind(CommandOrder::Id other);
  // Makes the command wait for the gate of another queue.
  void isBehind(const Gate &gate);
  void spansQueues(); // the command's event belongs to no queue
  bool isChecked() const { return note_ != nullptr; }
  // Reveals check mode about the command and returns its id; 0: commands are not checked. The functions that run the
  // command do it first, if it was not done yet.
  CommandOrder::Id noteOrder(CommandOrder::Role role = CommandOrder::Role::Command);
  CommandOrder::Id order() const { return order_; } // valid after noteOrder()

  // Each command is run by exactly one of the following functions. With Start::ByCaller the call returns when the work
  // is done.
  cl_int run(scheduler::Work work, scheduler::Start start = scheduler::Start::Now);
  cl_int runHostFunction(scheduler::Work function); // calls code of the application; never recorded
  // Enqueues a command that starts by calling `begin` with a user event, and is complete when somebody sets that
  // event's status. `begin` is called when everything that the command waits for is complete.
  cl_int runUntil(std::function<void(const scheduler::DependencyPtr &done)> begin);
  cl_int run(scheduler::Launch launch, bool blocking = false);
  cl_int run(scheduler::BatchPtr batch);
  // Calls run_chunk(begin, end) for byte ranges that cover [0, bytes): on several threads if there is much to do.
  cl_int runInChunks(size_t bytes, bool blocking, std::function<void(size_t begin, size_t end)> run_chunk);
  cl_int mark();
  cl_int barrier();

  // A command that spans several queues is run by the next functions. gate() enqueues its part in a queue that has no
  // other part of it.
  Gate gate();
  // runSpanning() enqueues the command that spans the queues. It is either a batch, or consists of the parts that
  // `begin_parts` enqueues after the event `begin`, in several queues.
  Gate runSpanning(scheduler::BatchPtr batch);
  Gate runSpanning(const std::function<WaitList(const scheduler::DependencyPtr &begin)> &begin_parts);

private:
  // Completes an enqueued command: hands the event to the application and waits if the command blocks.
  cl_int enqueued(scheduler::DependencyPtr progress, bool blocking);

  CommandQueue *queue_ = nullptr;
  Recorder *recorder_ = nullptr; // null: not recorded; otherwise the following members are not used
  WaitList wait_list_;
  Ref<Event> event_; // null when the application wants no event
  cl_event *event_out_ = nullptr;
  std::unique_ptr<CommandNote> note_; // null: commands are not checked
  CommandOrder::Id order_ = 0;
};

} // namespace lanecl::icd
