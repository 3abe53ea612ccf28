// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Metadata that the frontend attaches to a program's variables for the vectorizer.
#pragma once

namespace lanecl::vectorizer {

// On a variable: an i64, where it lies in the program's block of variables (abi::LaunchInfo::variables). Variables
// without it are constants that are part of the code, or __local.
inline constexpr const char *kVariableOffset = "lanecl.offset";

} // namespace lanecl::vectorizer
