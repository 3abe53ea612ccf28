// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How gdb alone gets to ask about each lane: `break FILE.cl:5 if __ocl_dbg_gid0 == 17` is meant for each work-item, but
// a sub-group executes the statement once, and gdb evaluates the condition for the lane that the debug frame selects.
//
// So a statement with a breakpoint is executed again for the next active lane if the debugger has just looked at an id
// of the selected work-item, which it does to evaluate such a condition. Whether it has looked is seen by a page of
// zeros that belongs to the id's description: the kernel gives the page back before, and memory that nobody has read
// since is not resident. A debugger that lists all variables has not asked.
//
// A breakpoint without a condition, or with one of other variables, stops once for each sub-group.
#pragma once

#include <string>

namespace lanecl::vectorizer {

// What follows the statement's nop, as inline assembly. Operand 0 is where the address of the debug frame is kept. It
// overwrites rax and the flags.
std::string laneQuestionText();

inline constexpr const char *kNextLane = "lanecl.debug.next.lane", *kDebuggerProbe = "lanecl.debug.probe";

void *debuggerProbe(); // abi::DebugFrame::probe

} // namespace lanecl::vectorizer

// Has a convention of its own: called by that text alone.
extern "C" [[gnu::visibility("hidden")]] void laneclNextLaneForDebugger();
