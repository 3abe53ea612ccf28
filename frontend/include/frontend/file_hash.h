// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hashes of files that a program needs at every start, without reading them at every start.
#pragma once

#include <string>
#include <vector>

namespace lanecl::frontend {

class DiskCache; // frontend/disk_cache.h

// The cache, which may be null, keeps hashes under what the system says of the files: one that has been written to
// since has another time of change, which no program can set.

// hashOf() the contents (vectorizer/content_hash.h); empty when the file cannot be read.
std::string hashOfFile(const std::string &path, DiskCache *cache);
// Over paths and contents, in this order; that a file is missing counts, too.
std::string hashOfFiles(const std::vector<std::string> &paths, DiskCache *cache);

} // namespace lanecl::frontend
