// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clRemapCommandBufferKHR: makes a command buffer with the same commands for other queues. Copies and fills are the
// same work on every device. Kernels are prepared again if they get to another device.
#include "api/entry.h"
#include "command_buffer/mutable_dispatch.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace lanecl::icd {
namespace {

// Indices of the queues that may replace a queue, the best one first.
using Candidates = std::vector<size_t>;

// Ranks the queues for the commands of the queue with index `own`. Queues of the same device come first: commands that
// stay on their device need no preparation and run where they were meant to. Devices with more compute units come next.
Candidates candidatesFor(const CommandBuffer &buffer, size_t own, const CommandBuffer::Queues &queues) {
  const Device &device = buffer.queues()[own]->device();
  const auto rank = [&](size_t queue) {
    const Device &other = queues[queue]->device();
    return std::tuple(&other != &device, -int64_t(other.units().count), queue != own, queue);
  };
  Candidates result(queues.size());
  std::iota(result.begin(), result.end(), size_t(0));
  std::sort(result.begin(), result.end(), [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return result;
}

std::vector<Candidates> allCandidates(const CommandBuffer &buffer, bool automatic,
                                      const CommandBuffer::Queues &queues) {
  std::vector<Candidates> result;
  for (size_t own = 0; own < buffer.queues().size(); ++own)
    result.push_back(automatic ? candidatesFor(buffer, own, queues) : Candidates{own});
  return result;
}

// Prepares a kernel for the first candidate that can run it. If none can, returns the error of the best candidate.
cl_int moveKernel(const CommandBuffer &buffer, const CommandBuffer::Queues &queues, const Candidates &candidates,
                  Recorded &command, DispatchState &state) {
  const Device &device = buffer.queues()[command.queue]->device();
  cl_int code = CL_SUCCESS;
  for (size_t candidate : candidates) {
    DispatchState moved = state;
    Device &other = queues[candidate]->device();
    const bool stays = &other == &device;
    RecordedWork work = stays ? command.work : RecordedWork();
    const cl_int refusal = stays ? CL_SUCCESS : prepareWork(moved, other, LaunchUse::Often, work);
    if (refusal == CL_SUCCESS) {
      command.work = std::move(work);
      command.queue = uint32_t(candidate);
      state = std::move(moved);
      return CL_SUCCESS;
    }
    code = code == CL_SUCCESS ? refusal : code;
  }
  return code;
}

// Chooses a queue for each command, and prepares the kernels that change their device.
cl_int moveCommands(const CommandBuffer &buffer, const CommandBuffer::Queues &queues, bool automatic,
                    CommandBuffer::Content &content, std::vector<DispatchState> &states) {
  std::vector<DispatchState *> state_of(content.commands.size(), nullptr);
  assert(states.size() == content.dispatches.size() && "each recorded kernel has a state");
  for (size_t i = 0; i < states.size(); ++i)
    state_of[content.dispatches[i]->command() - 1] = &states[i];
  const std::vector<Candidates> candidates = allCandidates(buffer, automatic, queues);
  for (size_t i = 0; i < content.commands.size(); ++i) {
    Recorded &command = content.commands[i];
    const Candidates &best = candidates[command.queue];
    assert(!best.empty() && *std::max_element(best.begin(), best.end()) < queues.size() && "no queue gets the command");
    if (!state_of[i])
      command.queue = uint32_t(best.front());
    else if (cl_int code = moveKernel(buffer, queues, best, command, *state_of[i]))
      return code;
  }
  return CL_SUCCESS;
}

cl_int checkHandles(const CommandBuffer &buffer, cl_uint count, const cl_mutable_command_khr *handles,
                    const cl_mutable_command_khr *copies) {
  // CL_INVALID_VALUE if handles or handles_ret is NULL and num_handles is > 0, or either is not NULL and num_handles is
  // 0.
  if ((handles != nullptr) != (count != 0) || (copies != nullptr) != (count != 0))
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if any handle in handles is not a valid command handle belonging to command_buffer.
  const bool are_own = std::all_of(handles, handles + count, [&](cl_mutable_command_khr handle) {
    const MutableDispatch *dispatch = MutableDispatch::cast(handle);
    return dispatch && &dispatch->buffer() == &buffer;
  });
  return are_own ? CL_SUCCESS : CL_INVALID_VALUE;
}

using Dispatches = std::vector<Ref<MutableDispatch>>;

// Makes the handles of the copied kernels.
Dispatches copyDispatches(CommandBuffer &copy, const CommandBuffer::Content &content,
                          std::vector<DispatchState> &&states) {
  Dispatches result;
  for (size_t i = 0; i < states.size(); ++i) {
    const MutableDispatch &original = *content.dispatches[i];
    CommandQueue &queue = *copy.queues()[content.commands[original.command() - 1].queue];
    result.push_back(
        make<MutableDispatch>(copy, queue, original.kernel(), original.properties(), std::move(states[i])));
    result.back()->setCommand(original.command());
  }
  return result;
}

// Returns true if the copy has to start its further recording with a barrier. A command that is recorded to an in-order
// queue comes after all commands of that queue. Those that the queue got by remapping may have been of several queues,
// or of an out-of-order queue, so that the last of them does not stand for all.
bool needsBarrier(const CommandBuffer &buffer, const CommandBuffer &copy) {
  const auto is_in_order = [](const Ref<CommandQueue> &queue) {
    return (queue->properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  };
  const CommandBuffer::Queues &own = buffer.queues(), &queues = copy.queues();
  return (own.size() > 1 || !is_in_order(own.front())) && std::any_of(queues.begin(), queues.end(), is_in_order);
}

// The arguments of clRemapCommandBufferKHR, apart from the command buffer.
struct RemapRequest {
  bool automatic;
  cl_uint num_queues;
  const cl_command_queue *queues;
  cl_uint num_handles;
  const cl_mutable_command_khr *handles;
  cl_mutable_command_khr *copies; // out
};

Result<Ref<CommandBuffer>> remap(cl_command_buffer_khr handle, const RemapRequest &request) {
  if (cl_int code = validate(handle))
    return Error{code};
  const CommandBuffer &buffer = objectOf(handle);
  // CL_INVALID_VALUE if num_queues is 0, or if queues is NULL, or if automatic is CL_FALSE and num_queues is not equal
  // to the number of queues used on creation of command_buffer.
  if (request.num_queues == 0 || !request.queues ||
      (!request.automatic && request.num_queues != buffer.queues().size()))
    return Error{CL_INVALID_VALUE};
  if (cl_int code = checkHandles(buffer, request.num_handles, request.handles, request.copies))
    return Error{code};
  auto queues = queuesOf(request.num_queues, request.queues);
  if (!queues)
    return queues.error();
  // CL_INVALID_CONTEXT if command_buffer and all the command-queues in queues do not have the same OpenCL context.
  if (&queues->front()->context() != &buffer.context())
    return Error{CL_INVALID_CONTEXT};
  std::vector<DispatchState> states;
  CommandBuffer::Content content = buffer.content(states);
  if (cl_int code = moveCommands(buffer, *queues, request.automatic, content, states))
    return Error{code};
  auto copy = make<CommandBuffer>(std::move(*queues), buffer.properties());
  const Dispatches copies = copyDispatches(*copy, content, std::move(states));
  const Dispatches originals = std::exchange(content.dispatches, copies);
  copy->setContent(std::move(content));
  if (needsBarrier(buffer, *copy))
    copy->recordBarrier(0, {}); // does nothing when the copy is finalized
  for (cl_uint i = 0; i < request.num_handles; ++i)
    for (size_t j = 0; j < originals.size(); ++j)
      if (originals[j]->handle() == request.handles[i])
        request.copies[i] = copies[j]->handle();
  return copy;
}

} // namespace
} // namespace lanecl::icd

namespace lanecl::command_buffer {

using namespace lanecl::icd;

cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(cl_command_buffer_khr buffer, cl_bool automatic,
                                                          cl_uint num_queues, const cl_command_queue *queues,
                                                          cl_uint num_handles, const cl_mutable_command_khr *handles,
                                                          cl_mutable_command_khr *handles_ret, cl_int *errcode_ret) {
  return create(errcode_ret, [&] {
    return remap(buffer, {automatic != CL_FALSE, num_queues, queues, num_handles, handles, handles_ret});
  });
}

} // namespace lanecl::command_buffer
