// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where Clang comes from: a module that is loaded when something is first compiled (clang_loaded.cpp), or this library
// itself, when all of LLVM is linked into it (clang_linked.cpp).
#pragma once

#include "frontend/frontend.h"

#include <string>

namespace lanecl::frontend {

struct ClangCalls; // clang_access/clang_calls.h

// Null with the reason. Thread-safe. Must not be called under vectorizer::runGuarded(): a jump out of the system's
// loader would leave its lock behind.
const ClangCalls *loadClang(const LanguageTraits &traits, std::string &error);

// Identifies what loadClang() loads, by the linker's build ids: without loading it where that is possible.
std::string identityOfClang(const std::string &clang_module);

} // namespace lanecl::frontend
