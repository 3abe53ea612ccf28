// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Source texts as files, for debuggers.
#pragma once

#include <string>

namespace lanecl::frontend {

class DiskCache;

// Writes the text to a file named by its hash and this ending, as ".cl", in the cache's folder or else in the system's
// temporary folder. Returns its path, or nothing when it cannot be written.
std::string writeSourceFile(DiskCache *cache, const std::string &source, const std::string &ending);

} // namespace lanecl::frontend
