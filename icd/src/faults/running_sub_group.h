// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the sub-group that a thread runs, for kernels built with -g. May be called in a signal handler.
#pragma once

#include "scheduler/running_groups.h"
#include "vectorizer/contract/debug_frame.h"

namespace lanecl::icd {

// The part of the stack in which the function that runs the sub-group keeps its values: from `low` to before `high`.
struct StackFrame {
  uintptr_t low = 0, high = 0;
};

// Returns the debug frame of the kernel that the sub-group runs, or null if it is not known. `frame` is empty if the
// stack of the sub-group's function is not known, because the fault is in a function outside of the kernel's code.
const abi::DebugFrame *runningSubGroup(const scheduler::RunningGroups &groups, const StackFrame &frame);

// Returns the debug frame of the function that the sub-group runs, which is the kernel or a function that was not
// inlined, or null if it is not known. `stack` is the stack pointer.
const abi::DebugFrame *runningFunction(const abi::DebugFrame &kernel, uintptr_t stack);

} // namespace lanecl::icd
