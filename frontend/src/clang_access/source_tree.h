// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The files that a run of Clang can read: files in memory and, for names that have none, those on the disk.
#pragma once

#include "cache/disk_use.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace lanecl::frontend {

// The disk, overlaid with files in memory. Records which files of the disk Clang asks for.
class SourceTree {
public:
  SourceTree();
  SourceTree(const SourceTree &) = delete;

  // Adds a file in memory. A relative path starts at the working directory. The text must end with NUL and outlive the
  // last use of the tree.
  void add(llvm::StringRef path, llvm::StringRef text);
  const std::string &workingDirectory() const { return working_directory; }
  const DiskUse &diskUse() const { return disk_use; } // what all runs over this tree have asked for
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem() const { return overlay; }

private:
  std::string absolute(llvm::StringRef path) const;

  std::string working_directory;
  DiskUse disk_use;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay;
};

} // namespace lanecl::frontend
