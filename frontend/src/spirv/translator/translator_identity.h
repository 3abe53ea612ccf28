// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Identifies the translator in the keys of the cache.
#pragma once

#include <string>

namespace lanecl::frontend {
class DiskCache;
}

namespace lanecl::frontend::spirv {

// Returns a text that differs when the program differs, or a library that the system loads for it. The result is empty
// if the identity is not known: then the translator's output must not be cached. `cache` keeps the list of libraries,
// because asking the dynamic loader takes milliseconds.
std::string translatorIdentity(const std::string &program, DiskCache &cache);

} // namespace lanecl::frontend::spirv
