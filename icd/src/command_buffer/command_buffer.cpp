// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Command buffers: their commands, stages, plans and queries.

#include "command_buffer/command_buffer.h"

#include "api/entry.h"
#include "api/info.h"
#include "command_buffer/mutable_dispatch.h"
#include "commands/command.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lanecl::icd {

namespace {

// Numbers the devices of the queues in the order of their first queue, and returns the number for each queue.
std::vector<size_t> deviceNumbers(const CommandBuffer::Queues &queues) {
  std::vector<const Device *> known;
  std::vector<size_t> numbers;
  for (const Ref<CommandQueue> &queue : queues) {
    const auto found = std::find(known.begin(), known.end(), &queue->device());
    numbers.push_back(size_t(found - known.begin()));
    if (found == known.end())
      known.push_back(&queue->device());
  }
  return numbers;
}

} // namespace

CommandBuffer::CommandBuffer(Queues queues, Properties properties)
    : queues_(std::move(queues)), properties_(std::move(properties)), can_move_(context().devices().size() > 1),
      devices_(deviceNumbers(queues_)), last_(queues_.size(), 0) {}

CommandBuffer::~CommandBuffer() = default;

cl_command_buffer_state_khr CommandBuffer::state() const {
  const std::lock_guard lock(mutex_);
  if (!content_.finalized)
    return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  return isComplete() ? CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR : CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
}

bool CommandBuffer::isComplete() const {
  return std::all_of(content_.commands.begin(), content_.commands.end(),
                     [](const Recorded &command) { return command.work.complete; });
}

bool CommandBuffer::areSyncPoints(SyncPoints points) const {
  const std::lock_guard lock(mutex_);
  return std::all_of(points.begin(), points.end(),
                     [&](cl_sync_point_khr point) { return point != 0 && point <= content_.commands.size(); });
}

// Returns the command that the next command of a queue waits for because of the queue's order. In an in-order queue
// that is the last command, which itself comes after all others of the queue.
static cl_sync_point_khr previous(const CommandQueue &queue, cl_sync_point_khr last) {
  return (queue.properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0 ? last : 0;
}

size_t CommandBuffer::stagesBefore(size_t queue, SyncPoints after) const {
  size_t stages = 0;
  const auto wait = [&](cl_sync_point_khr point) {
    assert(point <= content_.commands.size() && "there is no such sync point");
    if (point != 0)
      stages = std::max(stages, content_.commands[point - 1].stages);
  };
  wait(content_.barrier);
  wait(previous(*queues_[queue], last_[queue]));
  std::for_each(after.begin(), after.end(), wait);
  return stages;
}

std::shared_ptr<const Recorded::After> CommandBuffer::whatIsBefore(size_t queue, SyncPoints after, bool all) const {
  if (!can_move_)
    return nullptr;
  auto result = std::make_shared<Recorded::After>(Recorded::After{{after.begin(), after.end()}, all});
  for (cl_sync_point_khr point : {content_.barrier, previous(*queues_[queue], last_[queue])})
    if (point != 0)
      result->commands.push_back(point);
  return result;
}

cl_sync_point_khr CommandBuffer::add(Recorded command) {
  assert(!content_.finalized && command.queue < last_.size() && "the command is recorded too late, or for no queue");
  const uint32_t queue = command.queue;
  content_.stages = std::max(content_.stages, command.stages);
  content_.commands.push_back(std::move(command));
  return last_[queue] = cl_sync_point_khr(content_.commands.size());
}

std::optional<cl_sync_point_khr> CommandBuffer::record(size_t queue, RecordedWork work, SyncPoints after) {
  const std::lock_guard lock(mutex_);
  if (content_.finalized)
    return std::nullopt;
  return add({.stages = stagesBefore(queue, after) + 1,
              .work = std::move(work),
              .queue = uint32_t(queue),
              .after = whatIsBefore(queue, after, false)});
}

std::optional<cl_sync_point_khr> CommandBuffer::recordBarrier(size_t queue, SyncPoints after) {
  const std::lock_guard lock(mutex_);
  if (content_.finalized)
    return std::nullopt;
  const bool all = after.empty();
  return content_.barrier = add({.stages = all ? content_.stages : stagesBefore(queue, after),
                                 .work = {},
                                 .queue = uint32_t(queue),
                                 .is_barrier = true,
                                 .after = whatIsBefore(queue, after, all)});
}

void CommandBuffer::keep(Ref<MutableDispatch> dispatch) {
  const std::lock_guard lock(mutex_);
  assert(dispatch->command() != 0 && dispatch->command() <= content_.commands.size() && "the kernel is not recorded");
  content_.dispatches.push_back(std::move(dispatch));
}

CommandBuffer::Content CommandBuffer::content(std::vector<DispatchState> &states) const {
  const std::lock_guard lock(mutex_);
  states.clear();
  for (const Ref<MutableDispatch> &dispatch : content_.dispatches)
    states.push_back(dispatch->state());
  return content_;
}

void CommandBuffer::setContent(Content content) {
  const std::lock_guard lock(mutex_);
  assert(content_.commands.empty() && !content_.finalized && "the command buffer has commands already");
  content_ = std::move(content);
  for (size_t i = 0; i < content_.commands.size(); ++i) {
    assert(content_.commands[i].queue < last_.size() && "the command is for no queue of this command buffer");
    last_[content_.commands[i].queue] = cl_sync_point_khr(i + 1);
  }
}

cl_int CommandBuffer::finalize() {
  const std::lock_guard lock(mutex_);
  // CL_INVALID_OPERATION if command_buffer is not in the Recording state.
  if (content_.finalized)
    return CL_INVALID_OPERATION;
  content_.finalized = true;
  renewPlan();
  return CL_SUCCESS;
}

// Makes a new plan, unless a command lacks arguments. Returns the plan that is replaced. The caller must release it
// without the lock, because the application's destructor callbacks may run then.
PlanPtr CommandBuffer::renewPlan() {
  assert(content_.finalized && "the plan would lack the commands that are recorded from now on");
  if (!isComplete())
    return nullptr;
  is_stale_ = false;
  return std::exchange(plan_, makePlan(content_.commands, content_.stages, devices_, plan_.get()));
}

uint64_t CommandBuffer::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

// The work is swapped, so that the replaced work is released by the caller without the lock.
bool CommandBuffer::update(uint64_t version, std::vector<DispatchUpdate> &updates) {
  const std::lock_guard lock(mutex_);
  if (version != version_)
    return false;
  for (DispatchUpdate &update : updates) {
    assert(&update.dispatch->buffer() == this && update.dispatch->command() != 0 &&
           update.dispatch->command() <= content_.commands.size() && "the kernel is not one of this command buffer");
    std::swap(content_.commands[update.dispatch->command() - 1].work, update.work);
    update.dispatch->swapState(update.state);
  }
  ++version_;
  is_stale_ = true;
  return true;
}

PlanPtr CommandBuffer::plan() {
  PlanPtr replaced; // declared before the lock, so that it is released after it
  const std::lock_guard lock(mutex_);
  if (!content_.finalized)
    return nullptr;
  if (is_stale_)
    replaced = renewPlan();
  return is_stale_ ? nullptr : plan_;
}

Result<CommandBuffer::Queues> queuesOf(cl_uint count, const cl_command_queue *handles) {
  // CL_INVALID_VALUE if num_queues is zero, or if queues is NULL.
  if (count == 0 || !handles)
    return Error{CL_INVALID_VALUE};
  CommandBuffer::Queues queues;
  for (cl_uint i = 0; i < count; ++i) {
    // CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue.
    if (cl_int code = validate(handles[i]))
      return Error{code};
    queues.emplace_back(objectOf(handles[i]));
  }
  // CL_INVALID_CONTEXT if all the command-queues in queues do not have the same OpenCL context.
  const bool is_one_context = std::all_of(queues.begin(), queues.end(), [&](const Ref<CommandQueue> &queue) {
    return &queue->context() == &queues.front()->context();
  });
  if (!is_one_context)
    return Error{CL_INVALID_CONTEXT};
  return queues;
}

namespace {

constexpr cl_command_buffer_flags_khr kKnownFlags =
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;

cl_int readProperty(cl_command_buffer_properties_khr name, cl_command_buffer_properties_khr value,
                    CommandBuffer::Properties &properties) {
  switch (name) {
  case CL_COMMAND_BUFFER_FLAGS_KHR:
    properties.flags = value;
    return (value & ~kKnownFlags) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
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

// Creates a command buffer. Its queues may be of any devices, because every device can synchronize with every other
// one.
Result<Ref<CommandBuffer>> createCommandBuffer(cl_uint count, const cl_command_queue *handles,
                                               const cl_command_buffer_properties_khr *given) {
  auto queues = queuesOf(count, handles);
  if (!queues)
    return queues.error();
  CommandBuffer::Properties properties;
  if (cl_int code = readProperties(given, properties))
    return Error{code};
  return make<CommandBuffer>(std::move(*queues), std::move(properties));
}

cl_int finalize(cl_command_buffer_khr handle) {
  if (cl_int code = validate(handle))
    return code;
  return objectOf(handle).finalize();
}

std::vector<cl_command_queue> queueHandles(const CommandBuffer &buffer) {
  std::vector<cl_command_queue> handles;
  for (const Ref<CommandQueue> &queue : buffer.queues())
    handles.push_back(queue->handle());
  return handles;
}

cl_int commandBufferInfo(cl_command_buffer_khr handle, cl_command_buffer_info_khr name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  CommandBuffer &buffer = objectOf(handle);
  switch (name) {
  case CL_COMMAND_BUFFER_NUM_QUEUES_KHR: return info.value<cl_uint>(cl_uint(buffer.queues().size()));
  case CL_COMMAND_BUFFER_QUEUES_KHR: return info.list<cl_command_queue>(queueHandles(buffer));
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

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr buffer, cl_command_buffer_info_khr param_name,
                                             size_t size, void *value, size_t *size_ret) {
  return entry([&] { return commandBufferInfo(buffer, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

} // namespace lanecl::command_buffer
