// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Identifies the compiler in the keys of caches: code that another compiler made must not be taken from a cache.
#pragma once

#include <string>

namespace lanecl::frontend {

// Returns a text that differs when LaneCL's own code, Clang or LLVM differ, as they are loaded in this process or will
// be. An updated package may have other code with the same version and path, so neither of these is enough. Copies of
// the same libraries have the same identity, so that they can share a cache.
//
// `clang_module` is LanguageTraits::clang_module, the same in all calls.
const std::string &compilerIdentity(const std::string &clang_module);
// Identifies Clang and LLVM alone, which decide whether a precompiled header can be read.
std::string clangIdentity(const std::string &clang_module);

} // namespace lanecl::frontend
