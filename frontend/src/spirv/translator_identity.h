// Which translator runs, for the keys of the cache.
#pragma once

#include <string>

namespace lanecl::frontend {
class DiskCache;
}

namespace lanecl::frontend::spirv {

// Differs when the program differs, or a library that the system loads for it. Empty when it cannot be told: then what
// it makes is not to be kept. `cache` remembers which libraries these are, as to ask takes milliseconds.
std::string translatorIdentity(const std::string &program, DiskCache &cache);

} // namespace lanecl::frontend::spirv
