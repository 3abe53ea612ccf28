// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A header to the bytes of a precompiled header.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

// `path` is where the bytes will be found when they are used. Empty when the header has errors.
std::string precompileHeader(llvm::ArrayRef<std::string> arguments, const SourceTree &files, const char *path);

} // namespace lanecl::frontend
