// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lets gdb ask about each lane. The condition in `break FILE.cl:5 if __ocl_dbg_gid0 == 17` is meant for each work-item,
// but a sub-group executes the statement once, and gdb evaluates the condition only for the lane that the debug frame
// selects.
//
// Therefore a statement with a breakpoint is executed again for the next active lane, if the debugger has just read an
// id of the selected work-item, as it does to evaluate such a condition. The DWARF expression of each id also reads
// from a page of zeros, which makes that visible: the kernel drops the page by madvise, and if mincore later says that
// the page is resident, the debugger has read it. When the debugger lists all variables it also reads from a second
// page, and that does not count.
//
// A breakpoint without a condition, or with a condition on other variables, stops once for each sub-group.
#pragma once

#include <string>

namespace lanecl::vectorizer {

// Returns the inline assembly that follows a statement's nop. Operand 0 is the memory that holds the address of the
// debug frame. The assembly overwrites rax and the flags.
std::string laneQuestionText();

inline constexpr const char *kNextLane = "lanecl.debug.next.lane", *kDebuggerProbe = "lanecl.debug.probe";

void *debuggerProbe(); // returns the pages for abi::DebugFrame::probe

} // namespace lanecl::vectorizer

// Called only by that assembly, with a calling convention of its own.
extern "C" [[gnu::visibility("hidden")]] void laneclNextLaneForDebugger();
