// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a debugger finds of a sub-group whose kernel was built with -g.
//
// Each sub-group has a debug frame of its kernel, at the beginning of its slot of scratch memory. While it runs a
// function that was not inlined, that function has a debug frame of its own on the stack. Behind the header lie the
// source variables, each once for every lane. Debug information describes a variable as that of the lane that `lane` of
// the kernel's frame selects, and the debugger may write that `lane`.
#pragma once

#include "vectorizer/contract/abi.h"

namespace lanecl::abi {

struct DebugFrame {
  uint32_t lane;      // the selected one; has no meaning in the frame of a function
  uint32_t line;      // of the barrier at which the sub-group waited last, or 0
  uint64_t mask;      // the lanes that execute the statement
  uint32_t sub_group; // number in the work-group
  uint32_t lanes;     // that exist: fewer than `width` in an incomplete sub-group
  uint32_t width;
  uint32_t phase; // DebugPhase
  uint64_t group[3];
  const LaunchInfo *launch;
  const uint64_t *local_size; // of this work-group
  uint32_t optimized;         // 1: the variables are copies of those that the code computes with
  uint32_t runs;              // 0 while the sub-group waits at a barrier and others of its work-group run
  // From one sub-group's frame to the next one's, where those of a work-group are in memory at once; else 0.
  uint64_t slot_bytes;
  // Where the sub-group waited last, or null: for each function, the innermost first, "NAME FILE:LINE" and a line feed.
  const char *waited_at;
  const void *probe; // pages of the thread, see kProbeBytes
  // For which lanes the debugger has been asked about a statement, and which one: codegen/lane_questions.h.
  uint64_t asked;
  const void *asked_at;
  DebugFrame *kernel;  // the kernel's frame, which may be this one
  DebugFrame *caller;  // the frame of the function that called this one; null: this is the kernel's
  DebugFrame *running; // in the kernel's frame: the frame of the function that runs, or the kernel's
};

// Two pages of zeros. The debugger reads the first one when it evaluates an id of a work-item, and the second one, too,
// when it lists all variables.
inline constexpr uint64_t kProbeBytes = 4096;

enum DebugPhase : uint32_t { kDebugBegun = 1, kDebugDone = 2 };

inline constexpr uint64_t kDebugVariables = 192; // where they begin
static_assert(sizeof(DebugFrame) <= kDebugVariables);

} // namespace lanecl::abi
