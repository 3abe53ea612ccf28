// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_command_buffer_khr: commands that are recorded once and enqueued many times.
//
// Sync points, barriers and the order of the queues are reduced to one number for each command: the stage in which it
// runs. A stage starts when the stage before it is done. For example, in an in-order queue
//   fill A      stage 1
//   copy A, B   stage 2
//   fill C      stage 3, in an out-of-order queue without sync points stage 1
// A command buffer is enqueued as one batch of the scheduler or, if its queues are of several devices, as several
// batches. A batch never changes. An update of the command buffer makes a new one, so batches that are enqueued already
// keep their work.
#pragma once

#include "api/result.h"
#include "command_buffer/plan.h"
#include "commands/queue.h"
#include "device/extension_info.h"

#include <mutex>
#include <optional>
#include <span>

namespace lanecl::icd {

class MutableDispatch;
struct DispatchState;
struct DispatchUpdate;

using SyncPoints = std::span<const cl_sync_point_khr>;

// The entry points check their arguments; this class keeps the commands and the plan that is enqueued. The functions
// may be called from several threads.
class CommandBuffer final : public Object<CommandBuffer, cl_command_buffer_khr, Tag::CommandBuffer> {
public:
  using Queues = std::vector<Ref<CommandQueue>>; // has at least one element

  struct Properties {
    cl_command_buffer_flags_khr flags = 0;
    command_buffer::Asserts asserts = 0;
    std::vector<cl_command_buffer_properties_khr> list; // as given, with the terminating zero; empty: none were given
  };

  // The commands that were recorded so far.
  struct Content {
    bool finalized = false;
    std::vector<Recorded> commands; // the sync point of a command is its index + 1
    size_t stages = 0;              // the number of the last stage
    cl_sync_point_khr barrier = 0;  // sync point of the last barrier, which every later command waits for; 0: none
    // The handles of recorded kernels.
    std::vector<Ref<MutableDispatch>> dispatches;
  };

  CommandBuffer(Queues queues, Properties properties);
  CommandBuffer(const CommandBuffer &) = delete;
  ~CommandBuffer();

  Context &context() const { return queues_.front()->context(); }
  const Queues &queues() const { return queues_; }
  // Index of each queue's device, among the devices of the queues.
  const std::vector<size_t> &devices() const { return devices_; }
  bool isMutable() const { return (properties_.flags & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0; }
  // Returns true if clRemapCommandBufferKHR can move the commands to another device. Then the command buffer keeps what
  // they were made of.
  bool canMove() const { return can_move_; }
  const Properties &properties() const { return properties_; }
  cl_command_buffer_state_khr state() const;

  // Returns true if all of these are sync points of commands that were recorded before.
  bool areSyncPoints(SyncPoints points) const;
  // Record a command for the queue with this index, and return its sync point. They return nothing when the command
  // buffer is finalized. A barrier without sync points waits for all commands before it.
  std::optional<cl_sync_point_khr> record(size_t queue, RecordedWork work, SyncPoints after);
  std::optional<cl_sync_point_khr> recordBarrier(size_t queue, SyncPoints after);
  // Keeps the handle of a recorded kernel for as long as this object exists.
  void keep(Ref<MutableDispatch> dispatch);

  // Returns a copy of the commands, and in `states` the state of each element of `content.dispatches` at the same time.
  Content content(std::vector<DispatchState> &states) const;
  void setContent(Content content); // for a command buffer that was just created

  // Ends the recording. CL_INVALID_OPERATION if it was ended before.
  cl_int finalize();
  PlanPtr plan(); // what is enqueued; null when the command buffer is not in the Executable state

  // Returns the number of updates so far. An update that was prepared at an earlier version is out of date.
  uint64_t version() const;
  // Applies all updates and returns true. If another update was applied since `version`, applies none and returns
  // false. Afterwards `updates` holds the replaced work, which the caller releases.
  bool update(uint64_t version, std::vector<DispatchUpdate> &updates);

private:
  // Returns the number of the last stage that a command of this queue has to wait for.
  size_t stagesBefore(size_t queue, SyncPoints after) const;
  // Returns the commands that a command has to wait for, or null when all devices are the same. `all` adds every
  // command before it.
  std::shared_ptr<const Recorded::After> whatIsBefore(size_t queue, SyncPoints after, bool all) const;
  cl_sync_point_khr add(Recorded command);
  // Returns true if no command lacks arguments.
  bool isComplete() const;
  PlanPtr renewPlan();

  const Queues queues_;
  const Properties properties_;
  const bool can_move_;
  const std::vector<size_t> devices_;

  mutable std::mutex mutex_; // guards the following members
  Content content_;
  std::vector<cl_sync_point_khr> last_; // sync point of the last command of each queue; 0: none
  uint64_t version_ = 0;
  PlanPtr plan_;
  bool is_stale_ = true; // there is no plan yet, or it is older than the commands
};

// Checks and returns the queues of an application's list. CL_INVALID_VALUE for an empty list, CL_INVALID_COMMAND_QUEUE
// for an invalid queue, CL_INVALID_CONTEXT if the queues do not have the same context.
Result<CommandBuffer::Queues> queuesOf(cl_uint count, const cl_command_queue *handles);

} // namespace lanecl::icd

LANECL_HANDLE(cl_command_buffer_khr, CommandBuffer, CL_INVALID_COMMAND_BUFFER_KHR)
