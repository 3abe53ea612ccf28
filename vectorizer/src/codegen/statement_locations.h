// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lines of machine code in kernels built with -g: the last pass of code generation.
#pragma once

#include "llvm/Pass.h"

#include <string>

namespace lanecl::vectorizer {

// The text of the inline assembly that begins a statement, see lane_questions.h. All are different, so that none are
// merged.
std::string statementText(unsigned number);

// Gives every instruction the location of the statement that begins before it, and puts a nop before each beginning,
// which is where debuggers set their breakpoints: gdb 13 moves the instruction under a breakpoint elsewhere, and gets
// it wrong for instructions that address memory relative to their own place.
llvm::Pass *createStatementLocationsPass();

} // namespace lanecl::vectorizer
