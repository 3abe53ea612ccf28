// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds Clang's shared library where the system's loader will find it.
#pragma once

#include <string>

namespace lanecl::frontend {

// Returns an address in Clang's library if the process has loaded it already, since no other library of that name will
// be loaded then. The result is null if the process has not loaded it.
const void *loadedClangLibrary();

// Returns the path of Clang's library, or an empty path if only the system's loader can find it.
std::string clangLibraryFile();

} // namespace lanecl::frontend
