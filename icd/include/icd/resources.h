// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where LaneCL's own files are: the built-in library and the compiler's headers, the translator, Clang, the cache.
#pragma once

#include <string>

namespace lanecl::icd {

// Folder with builtins and headers; empty when there is none, with the reason and the remedy in `error`.
// LANECL_RESOURCES wins; otherwise it is share/lanecl of the tree, build or install, that holds this very code.
std::string resourceDirectory(std::string &error);

// The built-in library inside it.
std::string builtinsPath(const std::string &resource_directory);

// The module that has Clang: beside this very code, or in lib/ of its tree.
std::string clangModule();

// The program that reads SPIR-V: as CMake found it, or LANECL_SPIRV_TRANSLATOR.
std::string spirvTranslator();
// Whether it can be run. Without it the device takes no intermediate language, and says so in its queries.
bool readsSpirv();

// The user's own cache of compiled kernels; empty when switched off or when there is no home.
std::string cacheDirectory();
// The cache for several users; empty when there is none, or when switched off.
std::string sharedCacheDirectory();

} // namespace lanecl::icd
