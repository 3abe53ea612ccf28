// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Identifies the build of a program or a library: two different builds have different identities.
#pragma once

#include <string>

namespace lanecl::frontend {

// Returns the build id of the loaded file that holds this code. For a file without a build id it returns the path, size
// and time of modification instead.
std::string identityOfLoaded(const void *code);

// Returns the build id of a file, in hexadecimal. The result is empty if the file has none or cannot be read.
std::string buildIdOfFile(const std::string &path);

// Returns the build id of a file, or the hash of its contents when it has none. The result is empty if the file cannot
// be read.
std::string identityOfFile(const std::string &path);

} // namespace lanecl::frontend
