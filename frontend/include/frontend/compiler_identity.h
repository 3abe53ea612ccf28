// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Identifies the compiler: code that another one made must not be taken from a cache.
#pragma once

#include <string>

namespace lanecl::frontend {

// Differs when LaneCL's own code, Clang or LLVM differ, as they are loaded in this process, or will be: an updated
// package may have other code with the same version and path. It is the same for copies, so that they can share a
// cache. `clang_module`: LanguageTraits::clang_module, the same in all calls.
const std::string &compilerIdentity(const std::string &clang_module);
// Of Clang and LLVM alone, which decide whether a precompiled header can be read.
std::string clangIdentity(const std::string &clang_module);

} // namespace lanecl::frontend
