// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hashes files that a program needs at every start, without reading them at every start.
#pragma once

#include <string>
#include <vector>

namespace lanecl::frontend {

class DiskCache; // frontend/disk_cache.h

// Both functions remember their results in `cache`, which may be null. The key is the file's state as stat() returns
// it: inode, size, time of modification and time of change. A file that has been written to since has another time of
// change (st_ctime), which no program can set.

// Returns hashOf() the contents (vectorizer/content_hash.h), or an empty string when the file cannot be read.
std::string hashOfFile(const std::string &path, DiskCache *cache);
// Returns a hash over the paths and contents, in this order. A missing file is hashed as missing.
std::string hashOfFiles(const std::vector<std::string> &paths, DiskCache *cache);

} // namespace lanecl::frontend
