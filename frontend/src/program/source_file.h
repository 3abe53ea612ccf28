// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes source texts to files that debuggers can show.
#pragma once

#include <string>

namespace lanecl::frontend {

class DiskCache;

// Writes the text to a file in the cache's folder or, failing that, in the system's temporary folder. The file's name
// is the text's hash and this ending, such as ".cl". Returns its path, or an empty path when it cannot be written.
std::string writeSourceFile(DiskCache *cache, const std::string &source, const std::string &ending);

} // namespace lanecl::frontend
