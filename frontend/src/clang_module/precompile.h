// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles a header to the bytes of a precompiled header.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

// Returns the bytes of the precompiled header, or an empty string when the header has errors. `path` is where Clang
// will find the bytes when they are used.
std::string precompileHeader(llvm::ArrayRef<std::string> arguments, const SourceTree &files, const char *path);

} // namespace lanecl::frontend
