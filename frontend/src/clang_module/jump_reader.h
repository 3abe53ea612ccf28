// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds break, continue, goto, and return without a value.
#pragma once

#include "clang_access/clang_calls.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace lanecl::frontend {

// Returns a consumer that adds the places of the program's jump statements to `jumps` when the program has been parsed.
std::unique_ptr<clang::ASTConsumer> makeJumpReader(SourcePositions &jumps);

} // namespace lanecl::frontend
