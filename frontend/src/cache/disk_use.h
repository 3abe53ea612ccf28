// What a run of Clang found on the disk and what it looked for in vain: a compile may be taken from the cache as long
// as both are as they were.
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
  std::set<std::string> missing;            // files and folders: one that appears may come before one that was found
  bool depends_on_time = false;             // a file asks for the date
};

// Text whose meaning depends on when it is compiled.
bool dependsOnTime(llvm::StringRef text);

// The hash of a file as DiskUse has it. Nothing when it cannot be read, or depends on the time.
std::optional<std::string> hashFile(const std::string &path);

// `disk`, with everything that is asked of it noted in `use`, which outlives it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recordUse(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
                                                          DiskUse &use);

} // namespace lanecl::frontend
