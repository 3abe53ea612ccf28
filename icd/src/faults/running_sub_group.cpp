// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults/running_sub_group.h"

#include <cstring>

namespace lanecl::icd {
namespace {

using scheduler::RunningGroups;

bool runs(const RunningGroups &groups, const abi::DebugFrame &frame) {
  return frame.launch == groups.launch && frame.phase == abi::kDebugBegun && frame.runs != 0 &&
         frame.group[0] >= groups.x_begin && frame.group[0] < groups.x_end && frame.group[1] == groups.y &&
         frame.group[2] == groups.z;
}

// The address of a debug frame is on the stack of the function that runs its sub-group (keepFrameAddress in
// lower_debug.cpp), and that of no other.
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
  // Without barriers all sub-groups use this one. With them the first sub-group, which began first, knows where the
  // others are.
  if (first->slot_bytes == 0)
    return runs(groups, *first) ? first : nullptr;
  return onStack(groups, stack, first->slot_bytes);
}

const abi::DebugFrame *runningFunction(const abi::DebugFrame &kernel, uintptr_t stack) {
  constexpr uint64_t kMostBytes = uint64_t(1) << 20; // of the innermost functions on the stack
  const abi::DebugFrame *running = kernel.running;
  if (running == &kernel)
    return running;
  // A kernel that writes where it likes may have overwritten the pointer.
  const auto address = reinterpret_cast<uintptr_t>(running);
  const bool is_on_stack = address >= stack && address - stack < kMostBytes && address % alignof(abi::DebugFrame) == 0;
  return is_on_stack && running->kernel == &kernel ? running : nullptr;
}

} // namespace lanecl::icd
