// Which compiler runs: code that another one made is not to be taken from a cache.
#pragma once

#include <string>

namespace lanecl::frontend {

// Differs when LaneCL's own code, Clang or LLVM differ, as they are loaded in this process: a package that is updated
// brings other code under the same version and the same path. The same for copies, so that they can share a cache.
const std::string &compilerIdentity();

} // namespace lanecl::frontend
