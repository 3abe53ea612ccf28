// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Distinguishes one build of a program or a library from another.
#pragma once

#include <string>

namespace lanecl::frontend {

// Of the loaded file that holds this code: its build id, or else path, size and time.
std::string identityOfLoaded(const void *code);

// Of a file: the build id. Empty: it has none, or cannot be read.
std::string buildIdOfFile(const std::string &path);

// Of a file: the build id, or else the hash of its contents. Empty when it cannot be read.
std::string identityOfFile(const std::string &path);

} // namespace lanecl::frontend
