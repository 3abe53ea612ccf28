// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds debug frames: the kernel's code keeps one for each sub-group in the thread's scratch memory, which gdb reads,
// too.
#include "faults/running_sub_group.h"

#include <cstring>

namespace lanecl::icd {
namespace {

using scheduler::RunningGroups;

// Whether the debug frame belongs to a sub-group that this thread is running.
bool runs(const RunningGroups &groups, const abi::DebugFrame &frame) {
  return frame.launch == groups.launch && frame.phase == abi::kDebugBegun && frame.runs != 0 &&
         frame.group[0] >= groups.x_begin && frame.group[0] < groups.x_end && frame.group[1] == groups.y &&
         frame.group[2] == groups.z;
}

// Searches the stack for the address of a debug frame. The function that runs a sub-group keeps the address of its own
// debug frame there, and no other one's; keepFrameAddress in lower_debug.cpp sees to that.
const abi::DebugFrame *onStack(const RunningGroups &groups, const StackFrame &stack, uint64_t slot_bytes) {
  const auto scratch = reinterpret_cast<uintptr_t>(groups.memory->scratch);
  const uint64_t end = groups.memory->scratch_bytes - sizeof(abi::DebugFrame);
  for (uintptr_t word = stack.low; word < stack.high; word += sizeof(uintptr_t)) {
    uintptr_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void *>(word), sizeof value);
    const uint64_t offset = value - scratch;
    if (offset > end || offset % slot_bytes != 0)
      continue;
    const auto *frame = reinterpret_cast<const abi::DebugFrame *>(value);
    if (frame->slot_bytes == slot_bytes && runs(groups, *frame))
      return frame;
  }
  return nullptr;
}

} // namespace

const abi::DebugFrame *runningSubGroup(const RunningGroups &groups, const StackFrame &stack) {
  if (groups.memory->scratch_bytes < sizeof(abi::DebugFrame))
    return nullptr;
  const auto *first = reinterpret_cast<const abi::DebugFrame *>(groups.memory->scratch);
  // Without barriers all sub-groups use the first debug frame in turn. With barriers each has a slot of its own, and
  // the first sub-group, which has started before all others, has the distance of the slots in its frame.
  if (first->slot_bytes == 0)
    return runs(groups, *first) ? first : nullptr;
  return onStack(groups, stack, first->slot_bytes);
}

const abi::DebugFrame *runningFunction(const abi::DebugFrame &kernel, uintptr_t stack) {
  constexpr uint64_t kMostBytes = uint64_t(1) << 20; // size of the innermost functions' part of the stack
  const abi::DebugFrame *running = kernel.running;
  if (running == &kernel)
    return running;
  // The pointer is checked, because the faulting kernel may have overwritten it.
  const auto address = reinterpret_cast<uintptr_t>(running);
  const bool is_on_stack = address >= stack && address - stack < kMostBytes && address % alignof(abi::DebugFrame) == 0;
  return is_on_stack && running->kernel == &kernel ? running : nullptr;
}

} // namespace lanecl::icd
