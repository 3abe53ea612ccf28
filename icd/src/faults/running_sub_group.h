// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The sub-group that a thread runs, where its kernel was built with -g. May be called in a signal handler.
#pragma once

#include "scheduler/running_groups.h"
#include "vectorizer/contract/debug_frame.h"

namespace lanecl::icd {

// The words on the stack between which the function that runs the sub-group keeps its values.
struct StackFrame {
  uintptr_t low = 0, high = 0;
};

// The frame of its kernel. Null: not known. `frame` is empty when another function runs, called by the sub-group's.
const abi::DebugFrame *runningSubGroup(const scheduler::RunningGroups &groups, const StackFrame &frame);

// The frame of the function that the sub-group runs, which may be the kernel. Null: not known. `stack`: the stack
// pointer.
const abi::DebugFrame *runningFunction(const abi::DebugFrame &kernel, uintptr_t stack);

} // namespace lanecl::icd
