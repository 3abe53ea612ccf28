// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lines of machine code in kernels built with -g. The pass runs last in code generation, because other passes move
// instructions between statements.
#pragma once

#include "llvm/Pass.h"

#include <string>

namespace lanecl::vectorizer {

// Returns the text of the inline assembly that starts a statement, see lane_questions.h. The texts are all different,
// so that LLVM does not merge statements.
std::string statementText(unsigned number);

// Creates the pass. It gives every instruction the location of the statement that starts before it, and puts a nop
// before the start of each statement, where debuggers set their breakpoints. The nop is needed because gdb 13 executes
// the instruction under a breakpoint at another address, and gets that wrong for instructions that address memory
// relative to their own address.
llvm::Pass *createStatementLocationsPass();

} // namespace lanecl::vectorizer
