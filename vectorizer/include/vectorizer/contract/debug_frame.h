// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The data that a debugger finds about a sub-group whose kernel was built with -g.
//
// Each sub-group has a debug frame of its kernel, at the start of its slot of scratch memory. While a sub-group runs a
// kept function, that function has a debug frame of its own on the stack. The source variables follow the header, at
// kDebugVariables, once for every lane. Debug information describes a variable as that of the lane whose number is in
// `lane` of the kernel's frame, and the debugger may write that number.
#pragma once

#include "vectorizer/contract/abi.h"

namespace lanecl::abi {

struct DebugFrame {
  uint32_t lane;      // the selected lane; unused in the frame of a function
  uint32_t line;      // line of the barrier where the sub-group waited last, or 0
  uint64_t mask;      // lanes that execute the statement
  uint32_t sub_group; // number of the sub-group in its work-group
  uint32_t lanes;     // lanes that exist: fewer than `width` in an incomplete sub-group
  uint32_t width;
  uint32_t phase; // a DebugPhase
  uint64_t group[3];
  const LaunchInfo *launch;
  const uint64_t *local_size; // size of this work-group
  uint32_t optimized;         // 1: the variables are copies; the code computes with others
  uint32_t runs;              // 0: the sub-group waits at a barrier while others of its work-group run
  // Distance from one sub-group's frame to the next one's, in bytes. 0 if the frames of a work-group are not all in
  // memory at once.
  uint64_t slot_bytes;
  // Where the sub-group waited last, or null: a line "NAME FILE:LINE" for each function, the innermost first.
  const char *waited_at;
  const void *probe; // two pages of the thread, see kProbeBytes
  // The lanes for which the debugger has been asked about a statement, and that statement: see
  // codegen/lane_questions.h.
  uint64_t asked;
  const void *asked_at;
  DebugFrame *kernel;  // the kernel's frame, which may be this frame
  DebugFrame *caller;  // the frame of the calling function; null: this is the kernel's frame
  DebugFrame *running; // in the kernel's frame: the frame of the running function, or the kernel's own
};

// Size of one of the two pages of zeros at DebugFrame::probe. The debugger reads from the first page when it evaluates
// an id of a work-item, and from the second page, too, when it lists all variables.
inline constexpr uint64_t kProbeBytes = 4096;

enum DebugPhase : uint32_t { kDebugBegun = 1, kDebugDone = 2 };

inline constexpr uint64_t kDebugVariables = 192; // byte offset of the first variable in a frame
static_assert(sizeof(DebugFrame) <= kDebugVariables);

} // namespace lanecl::abi
