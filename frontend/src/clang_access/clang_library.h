// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds Clang's shared library as the system's loader will.
#pragma once

#include <string>

namespace lanecl::frontend {

// An address in it, if the process has it already: then no other of its name will be loaded. Null: it has not.
const void *loadedClangLibrary();

// Its path. Empty: only the system's loader knows.
std::string clangLibraryFile();

} // namespace lanecl::frontend
