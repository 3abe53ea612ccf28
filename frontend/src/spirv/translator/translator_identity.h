// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Identifies the translator, for the keys of the cache.
#pragma once

#include <string>

namespace lanecl::frontend {
class DiskCache;
}

namespace lanecl::frontend::spirv {

// Differs when the program differs, or a library that the system loads for it. Empty when it is not known: then the
// translator's output must not be cached. `cache` keeps the list of libraries, because asking the loader takes
// milliseconds.
std::string translatorIdentity(const std::string &program, DiskCache &cache);

} // namespace lanecl::frontend::spirv
