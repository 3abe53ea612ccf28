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

// Null: not known. `frame` is empty when another function runs, called by the sub-group's.
const abi::DebugFrame *runningSubGroup(const scheduler::RunningGroups &groups, const StackFrame &frame);

} // namespace lanecl::icd
