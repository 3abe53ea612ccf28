// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_command_buffer_khr: commands that are recorded once and enqueued many times.
//
// Sync points, barriers and the order of the queue are reduced to one number of each command: how many stages must be
// done before it is. A command buffer is enqueued as one batch of the scheduler. A batch never changes: an update of
// the command buffer makes a new one, so that enqueued ones are not affected.
#pragma once

#include "commands/queue.h"
#include "device/extension_info.h"
#include "icd/command_buffer_api.h"
#include "scheduler/batch.h"

#include <mutex>
#include <optional>
#include <span>

namespace lanecl::icd {

class MutableDispatch;
struct DispatchUpdate;

using SyncPoints = std::span<const cl_sync_point_khr>;

// What a command does when it is run.
struct RecordedWork {
  scheduler::PreparedLaunchPtr launch; // null: nothing
  bool complete = true;                // false: some arguments are missing
};

class CommandBuffer final : public Object<CommandBuffer, cl_command_buffer_khr, Tag::CommandBuffer> {
public:
  struct Properties {
    cl_command_buffer_flags_khr flags = 0;
    command_buffer::Asserts asserts = 0;
    std::vector<cl_command_buffer_properties_khr> list; // as given, with the terminating zero; empty: none were given
  };

  CommandBuffer(CommandQueue &queue, Properties properties);
  CommandBuffer(const CommandBuffer &) = delete;
  ~CommandBuffer();

  Context &context() const { return queue_->context(); }
  CommandQueue &queue() const { return *queue_; }
  bool isMutable() const { return (properties_.flags & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0; }
  const Properties &properties() const { return properties_; }
  cl_command_buffer_state_khr state() const;

  bool areSyncPoints(SyncPoints points) const;
  // Empty when the command buffer is finalized. A barrier with no points waits for all commands before it.
  std::optional<cl_sync_point_khr> record(RecordedWork work, SyncPoints after);
  std::optional<cl_sync_point_khr> recordBarrier(SyncPoints after);
  // The command's handle, which lives as long as this object.
  void keep(Ref<MutableDispatch> dispatch);

  cl_int finalize();
  scheduler::BatchPtr batch(); // null: not executable

  // The number of updates so far: when it has changed, an update that was prepared in the meantime is out of date.
  uint64_t version() const;
  // Applies all updates, or none and returns false when there was another update since that version.
  bool update(uint64_t version, std::vector<DispatchUpdate> &updates);

private:
  struct Recorded {
    size_t stages; // that must be done before it is
    RecordedWork work;
  };

  size_t stagesBefore(SyncPoints after) const;
  std::optional<cl_sync_point_khr> add(size_t stages, RecordedWork work);
  bool isComplete() const;
  scheduler::BatchPtr makeBatch();

  Ref<CommandQueue> queue_;
  const Properties properties_;

  mutable std::mutex mutex_; // guards what follows
  bool finalized_ = false;
  std::vector<Recorded> commands_; // the sync point of each is its place, counted from 1
  size_t stages_ = 0;
  size_t barrier_ = 0; // stages that every later command waits for
  std::vector<Ref<MutableDispatch>> dispatches_;
  uint64_t version_ = 0;
  scheduler::BatchPtr batch_;
  bool is_stale_ = true; // there is no batch yet, or it is older than the commands
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_command_buffer_khr, CommandBuffer, CL_INVALID_COMMAND_BUFFER_KHR)
