// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clEnqueueCommandBufferKHR. If the command buffer has several queues, it counts as one command of each of them: it
// starts when it may start in all of them, and later commands of each queue wait for all of it.
#include "api/entry.h"
#include "command_buffer/command_buffer.h"
#include "commands/command.h"

#include <algorithm>
#include <cassert>

namespace lanecl::icd {
namespace {

using Queues = CommandBuffer::Queues;

// Checks a queue that replaces `own`, one of the queues that the command buffer was created with.
cl_int checkQueue(const CommandQueue &own, cl_command_queue handle) {
  // CL_INVALID_COMMAND_QUEUE if any element of queues is not a valid command-queue.
  if (cl_int code = validate(handle))
    return code;
  const CommandQueue &queue = objectOf(handle);
  // CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if it has a property that command buffers do not support. None is required.
  if ((queue.properties() & ~kCommandBufferQueueProperties) != 0)
    return CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
  // CL_INVALID_DEVICE and CL_INVALID_CONTEXT if it does not have the same device or context as the queue set on
  // command_buffer creation at the same list index.
  if (&queue.device() != &own.device())
    return CL_INVALID_DEVICE;
  return &queue.context() == &own.context() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int checkQueues(const Queues &own, cl_uint count, const cl_command_queue *handles) {
  // CL_INVALID_VALUE if queues is NULL and num_queues is > 0, or queues is not NULL and num_queues is 0, or if
  // num_queues is > 0 and not the same value as on command_buffer creation.
  if ((handles == nullptr) != (count == 0) || (count != 0 && count != own.size()))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (cl_int code = checkQueue(*own[i], handles[i]))
      return code;
  return CL_SUCCESS;
}

// Returns each queue once. The first one is one with profiling, if there is any, and determines the times of the event.
std::vector<CommandQueue *> eachOf(const std::vector<CommandQueue *> &queues) {
  std::vector<CommandQueue *> result;
  for (CommandQueue *queue : queues)
    if (std::find(result.begin(), result.end(), queue) == result.end())
      result.push_back(queue);
  const auto timed = std::find_if(result.begin(), result.end(), [](CommandQueue *queue) { return queue->profiles(); });
  if (timed != result.end())
    std::rotate(result.begin(), timed, timed + 1);
  return result;
}

// Enqueues the batches of the plan. A part that waits for no other part waits for `begin`.
WaitList enqueueParts(const Plan &plan, const std::vector<CommandQueue *> &queue_of,
                      const scheduler::DependencyPtr &begin) {
  WaitList parts;
  for (const Plan::Part &part : plan.parts) {
    WaitList after;
    assert(part.device < queue_of.size() && queue_of[part.device] && "no queue is for the device of this part");
    for (size_t other : part.after)
      after.push_back(parts[other]);
    if (after.empty())
      after.push_back(begin);
    parts.push_back(queue_of[part.device]->commands().enqueue(part.batch, after));
  }
  return parts;
}

// Returns a queue for each device, by the device's index, and null for devices without a queue. A queue with profiling
// is preferred.
std::vector<CommandQueue *> queuesOfDevices(const std::vector<size_t> &devices,
                                            const std::vector<CommandQueue *> &queues) {
  std::vector<CommandQueue *> result(queues.size(), nullptr);
  for (size_t i = 0; i < queues.size(); ++i) {
    CommandQueue *&chosen = result[devices[i]];
    if (!chosen || (queues[i]->profiles() && !chosen->profiles()))
      chosen = queues[i];
  }
  return result;
}

// Enqueues a command buffer with several queues. Gates make it wait for the earlier commands of all queues, and make
// the later commands of all queues wait for it. A plan with a single batch for the first queue's device needs no parts.
cl_int enqueueToSeveral(const Plan &plan, const CommandBuffer &buffer, const std::vector<CommandQueue *> &queues,
                        const WaitArguments &waiting) {
  const std::vector<CommandQueue *> each = eachOf(queues);
  auto command = Command::prepare(*each.front(), CL_COMMAND_COMMAND_BUFFER_KHR, waiting);
  if (!command)
    return command.code();
  command->spansQueues();
  for (size_t i = 1; i < each.size(); ++i) {
    auto gate = Command::prepare(*each[i], CL_COMMAND_COMMAND_BUFFER_KHR, {waiting.count, waiting.events, nullptr});
    if (!gate)
      return gate.code();
    command->isBehind(gate->gate());
  }
  const std::vector<CommandQueue *> queue_of = queuesOfDevices(buffer.devices(), queues);
  const bool is_simple = plan.parts.size() == 1 && &queue_of[plan.parts[0].device]->device() == &each[0]->device();
  const Command::Gate end =
      is_simple ? command->runSpanning(plan.parts[0].batch)
                : command->runSpanning([&](const auto &begin) { return enqueueParts(plan, queue_of, begin); });
  for (size_t i = 1; i < each.size(); ++i) {
    auto gate = Command::prepare(*each[i], CL_COMMAND_COMMAND_BUFFER_KHR, {0, nullptr, nullptr});
    assert(gate && "nothing can be wrong with an empty wait list");
    gate->isBehind(end);
    gate->gate();
  }
  return CL_SUCCESS;
}

cl_int enqueueCommandBuffer(cl_uint count, const cl_command_queue *handles, cl_command_buffer_khr handle,
                            const WaitArguments &waiting) {
  if (cl_int code = validate(handle))
    return code;
  CommandBuffer &buffer = objectOf(handle);
  // CL_INVALID_OPERATION if command_buffer is not in the Executable state.
  const PlanPtr plan = buffer.plan();
  if (!plan)
    return CL_INVALID_OPERATION;
  const Queues &own = buffer.queues();
  if (cl_int code = checkQueues(own, count, handles))
    return code;
  if (own.size() > 1) {
    std::vector<CommandQueue *> queues;
    for (size_t i = 0; i < own.size(); ++i)
      queues.push_back(handles ? &objectOf(handles[i]) : own[i].get());
    return enqueueToSeveral(*plan, buffer, queues, waiting);
  }
  assert(plan->parts.size() == 1 && "one queue is of one device");
  CommandQueue &queue = handles ? objectOf(handles[0]) : *own[0];
  auto command = Command::prepare(queue, CL_COMMAND_COMMAND_BUFFER_KHR, waiting);
  return command ? command->run(plan->parts[0].batch) : command.code();
}

} // namespace
} // namespace lanecl::icd

namespace lanecl::command_buffer {

using namespace lanecl::icd;

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr buffer,
                                             cl_uint count, const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueCommandBuffer(num_queues, queues, buffer, {count, events, event}); });
}

} // namespace lanecl::command_buffer
