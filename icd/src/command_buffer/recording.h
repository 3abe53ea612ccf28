// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What all clCommand… have in common: the checks of the command buffer, the sync points, the handle.
#pragma once

#include "command_buffer/command_buffer.h"
#include "commands/command.h"

namespace lanecl::icd {

// The arguments that every clCommand… has.
struct RecordRequest {
  cl_command_buffer_khr buffer;
  cl_command_queue queue;
  const command_buffer::CommandProperties *properties;
  cl_uint count;
  const cl_sync_point_khr *sync_points;
  cl_sync_point_khr *sync_point; // out, may be null
  cl_mutable_command_khr *handle;
};

class Recording final : public Recorder {
public:
  explicit Recording(const RecordRequest &request) : request_(request) {}

  cl_int checkBuffer();
  cl_int checkPlain(); // as checkBuffer(), of a command without properties and handle
  cl_int checkSyncPoints() const override;

  // Only after checkBuffer() has returned CL_SUCCESS.
  CommandBuffer &buffer() const { return objectOf(request_.buffer); }
  CommandQueue &queue() const { return *buffer().queues()[queue_]; }
  Destination destination() { return {queue().handle(), {}, this}; }
  SyncPoints syncPoints() const { return {request_.sync_points, request_.count}; }

  // Only after checkSyncPoints() has returned CL_SUCCESS.
  cl_int add(scheduler::Launch launch) override;
  cl_int add(RecordedWork work);
  cl_int addBarrier();

  cl_sync_point_khr command() const { return command_; } // the recorded command

private:
  cl_int findQueue();
  cl_int added(std::optional<cl_sync_point_khr> command);

  const RecordRequest &request_;
  size_t queue_ = 0; // its number in the command buffer
  cl_sync_point_khr command_ = 0;
};

} // namespace lanecl::icd
