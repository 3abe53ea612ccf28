// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How gdb alone gets to ask about each lane: `break FILE.cl:5 if __ocl_dbg_gid0 == 17` is meant for each work-item, but
// a sub-group executes the statement once, and gdb evaluates the condition for the lane that the debug frame selects.
//
// So a statement with a breakpoint is executed again for the next active lane if the debugger has just read an id of
// the selected work-item, as it does to evaluate such a condition. To make this visible, the DWARF expression of each
// id also reads a page of zeros. The kernel drops the page with madvise, and when mincore then says that it is
// resident, the debugger has read it. When the debugger lists all variables it reads a second page too, and that does
// not count.
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
