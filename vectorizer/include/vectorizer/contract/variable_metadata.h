// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Metadata by which the frontend tells the vectorizer about a program's variables.
#pragma once

namespace lanecl::vectorizer {

// Metadata of a global variable: an i64, its byte offset in the program's block of variables
// (abi::LaunchInfo::variables). A variable without it is a constant that is part of the code, or it is __local.
inline constexpr const char *kVariableOffset = "lanecl.offset";

} // namespace lanecl::vectorizer
