// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the statements break, continue, goto and return without a value: Clang makes a branch of them, like those at
// the end of scopes, and only the former should have a place for a breakpoint.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <set>
#include <utility>

namespace lanecl::frontend {

using SourcePlaces = std::set<std::pair<unsigned, unsigned>>; // line and column

// Adds the places of the program's jump statements while it is parsed.
std::unique_ptr<clang::ASTConsumer> makeJumpReader(SourcePlaces &jumps);

// Marks their branches (vectorizer/contract/jump_metadata.h).
void markJumps(llvm::Module &module, const SourcePlaces &jumps);

} // namespace lanecl::frontend
