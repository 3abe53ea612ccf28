// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which files a run of Clang found on the disk and which it did not find: a cached compile is valid as long as neither
// has changed.
#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace lanecl::frontend {

// By absolute paths.
struct DiskUse {
  std::map<std::string, std::string> files; // with the hashes of their contents; empty: not read, but found
  std::set<std::string> missing;            // files and folders that, when created, may be found before one in `files`
  bool depends_on_time = false;             // a file uses __DATE__ or the like
};

// Text whose meaning depends on when it is compiled.
bool dependsOnTime(llvm::StringRef text);

// The hash of a file as DiskUse has it. Nothing when it cannot be read, or depends on the time.
std::optional<std::string> hashFile(const std::string &path);

// A file system that passes requests on to `disk` and records them in `use`, which must outlive it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recordUse(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
                                                          DiskUse &use);

} // namespace lanecl::frontend
