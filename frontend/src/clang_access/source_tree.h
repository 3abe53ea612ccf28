// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The files that a run of Clang sees.
#pragma once

#include "cache/disk_use.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace lanecl::frontend {

// The disk, overlaid with files in memory.
class SourceTree {
public:
  SourceTree();
  SourceTree(const SourceTree &) = delete;

  // Relative paths count from the working directory. The text (NUL-terminated) must outlive the tree's last use.
  void add(llvm::StringRef path, llvm::StringRef text);
  const std::string &workingDirectory() const { return working_directory; }
  const DiskUse &diskUse() const { return disk_use; } // of all runs over this tree
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem() const { return overlay; }

private:
  std::string absolute(llvm::StringRef path) const;

  std::string working_directory;
  DiskUse disk_use;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay;
};

} // namespace lanecl::frontend
