// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks and records the commands of clCommand… functions.

#include "command_buffer/recording.h"

#include <algorithm>

namespace lanecl::icd {

cl_int Recording::findQueue() {
  const CommandBuffer::Queues &queues = buffer().queues();
  // CL_INVALID_COMMAND_QUEUE if command_queue is NULL and command_buffer was created with more than one queue, ...
  if (!request_.queue)
    return queues.size() == 1 ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
  const auto found = std::find_if(queues.begin(), queues.end(),
                                  [&](const Ref<CommandQueue> &queue) { return queue->handle() == request_.queue; });
  queue_ = size_t(found - queues.begin());
  if (found != queues.end())
    return CL_SUCCESS;
  // ... or command_queue is not NULL and not a command-queue listed on command_buffer creation. CL_INVALID_CONTEXT if
  // the context associated with command_queue and command_buffer is not the same.
  const CommandQueue *other = CommandQueue::cast(request_.queue);
  return other && &other->context() != &buffer().context() ? CL_INVALID_CONTEXT : CL_INVALID_COMMAND_QUEUE;
}

cl_int Recording::checkBuffer() {
  if (cl_int code = validate(request_.buffer))
    return code;
  if (cl_int code = findQueue())
    return code;
  // CL_INVALID_OPERATION if command_buffer has been finalized.
  return buffer().state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR ? CL_SUCCESS : CL_INVALID_OPERATION;
}

cl_int Recording::checkPlain() {
  if (cl_int code = checkBuffer())
    return code;
  // CL_INVALID_VALUE if values specified in properties are not valid: there are no properties for these commands. The
  // same error is returned if mutable_handle is not NULL.
  return (request_.properties && *request_.properties != 0) || request_.handle ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int Recording::checkSyncPoints() const {
  // CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if sync_point_wait_list is NULL and num_sync_points_in_wait_list is > 0, or
  // sync_point_wait_list is not NULL and num_sync_points_in_wait_list is 0, or if synchronization-point objects in it
  // are not valid.
  if ((request_.sync_points == nullptr) != (request_.count == 0) || !buffer().areSyncPoints(syncPoints()))
    return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
  return CL_SUCCESS;
}

cl_int Recording::add(scheduler::Launch launch) {
  scheduler::PreparedLaunchPtr prepared = scheduler::prepare(std::move(launch));
  return prepared ? add(RecordedWork{std::move(prepared)}) : CL_INVALID_WORK_GROUP_SIZE;
}

cl_int Recording::add(RecordedWork work) {
  return added(buffer().record(queue_, std::move(work), syncPoints()));
}

cl_int Recording::addBarrier() {
  return added(buffer().recordBarrier(queue_, syncPoints()));
}

cl_int Recording::added(std::optional<cl_sync_point_khr> command) {
  if (!command)
    return CL_INVALID_OPERATION; // another thread has finalized the command buffer
  command_ = *command;
  if (request_.sync_point)
    *request_.sync_point = command_;
  return CL_SUCCESS;
}

} // namespace lanecl::icd
