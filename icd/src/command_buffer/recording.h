// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Implements what all clCommand… functions have in common: the checks of the command buffer, the sync points, the
// handle.
#pragma once

#include "command_buffer/command_buffer.h"
#include "commands/command.h"

#include <cassert>

namespace lanecl::icd {

// The arguments that every clCommand… function has.
struct RecordRequest {
  cl_command_buffer_khr buffer;
  cl_command_queue queue;
  const command_buffer::CommandProperties *properties;
  cl_uint count;
  const cl_sync_point_khr *sync_points;
  cl_sync_point_khr *sync_point; // out, may be null
  cl_mutable_command_khr *handle;
};

// One call of a clCommand… function. It is passed on as the Recorder of a Destination.
class Recording final : public Recorder {
public:
  explicit Recording(const RecordRequest &request) : request_(request) {}

  // Finds the queue. CL_INVALID_OPERATION if the command buffer is finalized.
  cl_int checkBuffer();
  cl_int checkPlain(); // as checkBuffer(), for a command that has neither properties nor a handle
  cl_int checkSyncPoints() const override;

  // The next functions may be called only after checkBuffer() has returned CL_SUCCESS.
  CommandBuffer &buffer() const { return objectOf(request_.buffer); }
  CommandQueue &queue() const {
    assert(queue_ < buffer().queues().size() && "checkBuffer() has found no queue");
    return *buffer().queues()[queue_];
  }
  Destination destination() { return {queue().handle(), {}, this}; }
  SyncPoints syncPoints() const { return {request_.sync_points, request_.count}; }

  // The next functions may be called only after checkSyncPoints() has returned CL_SUCCESS. They record the command and
  // store its sync point where the application wants it.
  cl_int add(scheduler::Launch launch) override;
  cl_int add(RecordedWork work);
  cl_int addBarrier();

  cl_sync_point_khr command() const { return command_; } // sync point of the recorded command

private:
  cl_int findQueue();
  cl_int added(std::optional<cl_sync_point_khr> command);

  const RecordRequest &request_;
  size_t queue_ = 0; // the queue's index in the command buffer
  cl_sync_point_khr command_ = 0;
};

} // namespace lanecl::icd
