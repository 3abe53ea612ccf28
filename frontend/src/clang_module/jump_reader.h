// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the statements break, continue, goto and return without a value.
#pragma once

#include "clang_access/clang_calls.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace lanecl::frontend {

// Adds the places of the program's jump statements while it is parsed.
std::unique_ptr<clang::ASTConsumer> makeJumpReader(SourcePlaces &jumps);

} // namespace lanecl::frontend
