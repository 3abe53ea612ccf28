// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Provides Clang: from a module that is loaded when something is first compiled (clang_loaded.cpp), or from this
// library itself, when all of LLVM is linked into it (clang_linked.cpp).
#pragma once

#include "frontend/frontend.h"

#include <string>

namespace lanecl::frontend {

struct ClangCalls; // clang_access/clang_calls.h

// Returns Clang's functions, or null with the reason in `error`. Thread-safe. Must not be called under
// vectorizer::runGuarded(): a jump out of the system's loader would leave the loader's lock behind.
const ClangCalls *loadClang(const LanguageTraits &traits, std::string &error);

// Returns an identity of the module and the Clang that loadClang() loads, by the linker's build ids. Loads them only
// where their files do not tell.
std::string identityOfClang(const std::string &clang_module);

} // namespace lanecl::frontend
