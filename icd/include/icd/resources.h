// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds LaneCL's own files: the built-in library, the compiler's headers, the SPIR-V translator, Clang and the caches.
#pragma once

#include <string>

namespace lanecl::icd {

// Returns the folder with the built-in library and the compiler's headers. This is LANECL_RESOURCES, or else
// share/lanecl of the build or installation tree that this library was loaded from. Returns "" if there is none, with
// the reason and the remedy in `error`.
std::string resourceDirectory(std::string &error);

// Returns the path of the built-in library inside the resource directory.
std::string builtinsPath(const std::string &resource_directory);

// Returns the path of the shared library that contains Clang: beside this library, or in lib/ of its tree.
std::string clangModule();

// Returns the path of the translator from SPIR-V: LANECL_SPIRV_TRANSLATOR, or the one that CMake found.
std::string spirvTranslator();
// Whether the translator can be run. Without it the device accepts no intermediate language and reports none.
bool readsSpirv();

// Returns the folder of the user's own cache of compiled kernels, or "" if it is switched off or there is no home.
std::string cacheDirectory();
// Returns the folder of the cache for several users, or "" if there is none or caching is switched off.
std::string sharedCacheDirectory();

} // namespace lanecl::icd
