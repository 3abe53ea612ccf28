// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_command_buffer_khr: commands that are recorded once and enqueued many times.
//
// Sync points, barriers and the order of the queues are reduced to one number of each command: how many stages must be
// done before it is. A command buffer is enqueued as one batch of the scheduler, or as some, if it has queues of
// several devices. A batch never changes: an update of the command buffer makes a new one, so that enqueued ones are
// not affected.
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

class CommandBuffer final : public Object<CommandBuffer, cl_command_buffer_khr, Tag::CommandBuffer> {
public:
  using Queues = std::vector<Ref<CommandQueue>>; // at least one

  struct Properties {
    cl_command_buffer_flags_khr flags = 0;
    command_buffer::Asserts asserts = 0;
    std::vector<cl_command_buffer_properties_khr> list; // as given, with the terminating zero; empty: none were given
  };

  // The commands so far.
  struct Content {
    bool finalized = false;
    std::vector<Recorded> commands; // the sync point of each is its place, counted from 1
    size_t stages = 0;
    cl_sync_point_khr barrier = 0; // that every later command waits for
    std::vector<Ref<MutableDispatch>> dispatches;
  };

  CommandBuffer(Queues queues, Properties properties);
  CommandBuffer(const CommandBuffer &) = delete;
  ~CommandBuffer();

  Context &context() const { return queues_.front()->context(); }
  const Queues &queues() const { return queues_; }
  const std::vector<size_t> &devices() const { return devices_; } // the number of each queue's device, from 0
  bool isMutable() const { return (properties_.flags & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0; }
  // Whether its commands can get to another device: then it keeps what they were made of.
  bool canMove() const { return can_move_; }
  const Properties &properties() const { return properties_; }
  cl_command_buffer_state_khr state() const;

  bool areSyncPoints(SyncPoints points) const;
  // To the queue of that number. Empty when the command buffer is finalized. A barrier with no points waits for all
  // commands before it.
  std::optional<cl_sync_point_khr> record(size_t queue, RecordedWork work, SyncPoints after);
  std::optional<cl_sync_point_khr> recordBarrier(size_t queue, SyncPoints after);
  // The command's handle, which lives as long as this object.
  void keep(Ref<MutableDispatch> dispatch);

  // A copy, with the state that each of `content.dispatches` has.
  Content content(std::vector<DispatchState> &states) const;
  void setContent(Content content); // of a new command buffer

  cl_int finalize();
  PlanPtr plan(); // null: not executable

  // The number of updates so far: when it has changed, an update that was prepared in the meantime is out of date.
  uint64_t version() const;
  // Applies all updates, or none and returns false when there was another update since that version.
  bool update(uint64_t version, std::vector<DispatchUpdate> &updates);

private:
  size_t stagesBefore(size_t queue, SyncPoints after) const;
  std::shared_ptr<const Recorded::After> whatIsBefore(size_t queue, SyncPoints after, bool all) const;
  cl_sync_point_khr add(Recorded command);
  bool isComplete() const;
  PlanPtr renewPlan();

  const Queues queues_;
  const Properties properties_;
  const bool can_move_;
  const std::vector<size_t> devices_;

  mutable std::mutex mutex_; // guards what follows
  Content content_;
  std::vector<cl_sync_point_khr> last_; // command of each queue; 0: none
  uint64_t version_ = 0;
  PlanPtr plan_;
  bool is_stale_ = true; // there is no plan yet, or it is older than the commands
};

// Checked: at least one, and all of one context.
Result<CommandBuffer::Queues> queuesOf(cl_uint count, const cl_command_queue *handles);

} // namespace lanecl::icd

LANECL_HANDLE(cl_command_buffer_khr, CommandBuffer, CL_INVALID_COMMAND_BUFFER_KHR)
