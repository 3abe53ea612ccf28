// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_buffer/command_buffer.h"

#include "api/entry.h"
#include "api/info.h"
#include "command_buffer/mutable_dispatch.h"
#include "commands/command.h"

#include <algorithm>
#include <utility>

namespace lanecl::icd {

CommandBuffer::CommandBuffer(CommandQueue &queue, Properties properties)
    : queue_(queue), properties_(std::move(properties)) {}

CommandBuffer::~CommandBuffer() = default;

cl_command_buffer_state_khr CommandBuffer::state() const {
  const std::lock_guard lock(mutex_);
  if (!finalized_)
    return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  return isComplete() ? CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR : CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
}

bool CommandBuffer::isComplete() const {
  return std::all_of(commands_.begin(), commands_.end(), [](const Recorded &command) { return command.work.complete; });
}

bool CommandBuffer::areSyncPoints(SyncPoints points) const {
  const std::lock_guard lock(mutex_);
  return std::all_of(points.begin(), points.end(),
                     [&](cl_sync_point_khr point) { return point != 0 && point <= commands_.size(); });
}

size_t CommandBuffer::stagesBefore(SyncPoints after) const {
  // In an in-order queue a command waits for the one before it, and so for all.
  const bool in_order = (queue_->properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  size_t stages = in_order ? stages_ : barrier_;
  for (cl_sync_point_khr point : after)
    stages = std::max(stages, commands_[point - 1].stages);
  return stages;
}

std::optional<cl_sync_point_khr> CommandBuffer::add(size_t stages, RecordedWork work) {
  commands_.push_back({stages, std::move(work)});
  stages_ = std::max(stages_, stages);
  return cl_sync_point_khr(commands_.size());
}

std::optional<cl_sync_point_khr> CommandBuffer::record(RecordedWork work, SyncPoints after) {
  const std::lock_guard lock(mutex_);
  if (finalized_)
    return std::nullopt;
  return add(stagesBefore(after) + 1, std::move(work));
}

std::optional<cl_sync_point_khr> CommandBuffer::recordBarrier(SyncPoints after) {
  const std::lock_guard lock(mutex_);
  if (finalized_)
    return std::nullopt;
  barrier_ = after.empty() ? stages_ : stagesBefore(after);
  return add(barrier_, {});
}

void CommandBuffer::keep(Ref<MutableDispatch> dispatch) {
  const std::lock_guard lock(mutex_);
  dispatches_.push_back(std::move(dispatch));
}

cl_int CommandBuffer::finalize() {
  const std::lock_guard lock(mutex_);
  // CL_INVALID_OPERATION if command_buffer is not in the Recording state.
  if (finalized_)
    return CL_INVALID_OPERATION;
  finalized_ = true;
  makeBatch();
  return CL_SUCCESS;
}

// Does nothing while arguments are missing. Returns the batch that is replaced, to be released without the lock: the
// application's destructor callbacks may run then.
scheduler::BatchPtr CommandBuffer::makeBatch() {
  if (!isComplete())
    return nullptr;
  scheduler::BatchStages stages(stages_);
  for (const Recorded &command : commands_)
    if (command.work.launch)
      stages[command.stages - 1].push_back(command.work.launch);
  is_stale_ = false;
  return std::exchange(batch_, scheduler::makeBatch(stages, batch_));
}

uint64_t CommandBuffer::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

// Afterwards `updates` holds the replaced work, which the caller releases.
bool CommandBuffer::update(uint64_t version, std::vector<DispatchUpdate> &updates) {
  const std::lock_guard lock(mutex_);
  if (version != version_)
    return false;
  for (DispatchUpdate &update : updates) {
    std::swap(commands_[update.dispatch->command() - 1].work, update.work);
    update.dispatch->swapState(update.state);
  }
  ++version_;
  is_stale_ = true;
  return true;
}

scheduler::BatchPtr CommandBuffer::batch() {
  scheduler::BatchPtr replaced; // released after the lock
  const std::lock_guard lock(mutex_);
  if (!finalized_)
    return nullptr;
  if (is_stale_)
    replaced = makeBatch();
  return is_stale_ ? nullptr : batch_;
}

namespace {

constexpr cl_command_buffer_flags_khr kSupportedFlags =
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
constexpr cl_command_buffer_flags_khr kKnownFlags = kSupportedFlags | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;

cl_int readProperty(cl_command_buffer_properties_khr name, cl_command_buffer_properties_khr value,
                    CommandBuffer::Properties &properties) {
  switch (name) {
  case CL_COMMAND_BUFFER_FLAGS_KHR:
    properties.flags = value;
    if ((value & ~kKnownFlags) != 0)
      return CL_INVALID_VALUE;
    // CL_INVALID_PROPERTY if values specified in properties are valid but are not supported by the device.
    return (value & ~kSupportedFlags) != 0 ? CL_INVALID_PROPERTY : CL_SUCCESS;
  case CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR:
    properties.asserts = value;
    return areAsserts(value) ? CL_SUCCESS : CL_INVALID_VALUE;
  default: return CL_INVALID_VALUE;
  }
}

// CL_INVALID_VALUE if values specified in properties are not valid, or if the same property name is specified more than
// once.
cl_int readProperties(const cl_command_buffer_properties_khr *given, CommandBuffer::Properties &properties) {
  std::vector<cl_command_buffer_properties_khr> &list = properties.list;
  for (const cl_command_buffer_properties_khr *entry = given; entry && *entry; entry += 2) {
    for (size_t i = 0; i < list.size(); i += 2)
      if (list[i] == entry[0])
        return CL_INVALID_VALUE;
    if (cl_int code = readProperty(entry[0], entry[1], properties))
      return code;
    list.insert(list.end(), {entry[0], entry[1]});
  }
  if (given)
    list.push_back(0);
  return CL_SUCCESS;
}

Result<Ref<CommandBuffer>> createCommandBuffer(cl_uint count, const cl_command_queue *queues,
                                               const cl_command_buffer_properties_khr *given) {
  // CL_INVALID_VALUE if num_queues is not one, as without cl_khr_command_buffer_multi_device, or if queues is NULL.
  if (count != 1 || !queues)
    return Error{CL_INVALID_VALUE};
  if (cl_int code = validate(queues[0]))
    return Error{code};
  CommandBuffer::Properties properties;
  if (cl_int code = readProperties(given, properties))
    return Error{code};
  return make<CommandBuffer>(objectOf(queues[0]), std::move(properties));
}

cl_int finalize(cl_command_buffer_khr handle) {
  if (cl_int code = validate(handle))
    return code;
  return objectOf(handle).finalize();
}

// The queue that a command buffer is enqueued to instead of its own.
cl_int checkQueue(const CommandBuffer &buffer, cl_command_queue handle) {
  if (cl_int code = validate(handle))
    return code;
  const CommandQueue &queue = objectOf(handle);
  // CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if it has a property that command buffers do not support. None is required.
  if ((queue.properties() & ~kCommandBufferQueueProperties) != 0)
    return CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
  // CL_INVALID_DEVICE and CL_INVALID_CONTEXT if it does not have the same device or context as the queue set on
  // command_buffer creation.
  if (&queue.device() != &buffer.queue().device())
    return CL_INVALID_DEVICE;
  return &queue.context() == &buffer.context() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int enqueueCommandBuffer(cl_uint count, const cl_command_queue *queues, cl_command_buffer_khr handle,
                            const Waiting &waiting) {
  if (cl_int code = validate(handle))
    return code;
  CommandBuffer &buffer = objectOf(handle);
  // CL_INVALID_OPERATION if command_buffer is not in the Executable state.
  scheduler::BatchPtr batch = buffer.batch();
  if (!batch)
    return CL_INVALID_OPERATION;
  // CL_INVALID_VALUE if queues is NULL and num_queues is > 0, or queues is not NULL and num_queues is 0, or if
  // num_queues is > 0 and not the same value as on command_buffer creation.
  if ((queues == nullptr) != (count == 0) || count > 1)
    return CL_INVALID_VALUE;
  const cl_command_queue queue = queues ? queues[0] : buffer.queue().handle();
  if (cl_int code = checkQueue(buffer, queue))
    return code;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_COMMAND_BUFFER_KHR, waiting);
  return command ? command->run(std::move(batch)) : command.code();
}

cl_int commandBufferInfo(cl_command_buffer_khr handle, cl_command_buffer_info_khr name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  CommandBuffer &buffer = objectOf(handle);
  switch (name) {
  case CL_COMMAND_BUFFER_NUM_QUEUES_KHR: return info.value<cl_uint>(1);
  case CL_COMMAND_BUFFER_QUEUES_KHR: return info.value<cl_command_queue>(buffer.queue().handle());
  case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR: return info.value<cl_uint>(buffer.applicationReferences());
  case CL_COMMAND_BUFFER_STATE_KHR: return info.value<cl_command_buffer_state_khr>(buffer.state());
  case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
    return info.list<cl_command_buffer_properties_khr>(buffer.properties().list);
  case CL_COMMAND_BUFFER_CONTEXT_KHR: return info.value<cl_context>(buffer.context().handle());
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

namespace lanecl::command_buffer {

using namespace lanecl::icd;

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                                           const cl_command_buffer_properties_khr *properties,
                                                           cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createCommandBuffer(num_queues, queues, properties); });
}

cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr buffer) {
  return entry([&] { return retain(buffer); });
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr buffer) {
  return entry([&] { return release(buffer); });
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer) {
  return entry([&] { return finalize(buffer); });
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr buffer,
                                             cl_uint count, const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueCommandBuffer(num_queues, queues, buffer, {count, events, event}); });
}

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr buffer, cl_command_buffer_info_khr param_name,
                                             size_t size, void *value, size_t *size_ret) {
  return entry([&] { return commandBufferInfo(buffer, param_name, InfoWriter(size, value, size_ret)); });
}

} // namespace lanecl::command_buffer
