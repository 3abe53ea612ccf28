// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Records which files a run of Clang found on the disk and which it did not find. A cached compile is valid as
// long as neither has changed.
#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace lanecl::frontend {

// The files of one or several runs, by their absolute paths.
struct DiskUse {
  std::map<std::string, std::string> files; // with the hashes of their contents; empty: found but not read
  // Files and folders that did not exist. Once created, they may be found instead of one in `files`.
  std::set<std::string> missing;
  bool depends_on_time = false; // a file uses __DATE__, __TIME__ or __TIMESTAMP__
};

// Whether the meaning of the text depends on when it is compiled: it contains __DATE__, __TIME__ or __TIMESTAMP__.
bool dependsOnTime(llvm::StringRef text);

// Returns the hash of a file as DiskUse::files has it, or nothing when the file cannot be read or depends on the time.
std::optional<std::string> hashFile(const std::string &path);

// Returns a file system that passes requests on to `disk` and records them in `use`, which must outlive it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recordUse(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
                                                          DiskUse &use);

} // namespace lanecl::frontend
