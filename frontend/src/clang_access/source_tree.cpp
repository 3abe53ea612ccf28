// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clang_access/source_tree.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace lanecl::frontend {

SourceTree::SourceTree() : memory(llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>()) {
  // The disk gets a working directory of its own, because the process may change its own at any time.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = llvm::vfs::createPhysicalFileSystem();
  if (auto directory = disk->getCurrentWorkingDirectory())
    working_directory = *directory;
  else
    working_directory = "/";
  disk->setCurrentWorkingDirectory(working_directory);
  memory->setCurrentWorkingDirectory(working_directory);
  overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(recordUse(disk, disk_use));
  overlay->pushOverlay(memory);
}

std::string SourceTree::absolute(llvm::StringRef path) const {
  llvm::SmallString<256> full(path);
  llvm::sys::path::make_absolute(working_directory, full);
  return std::string(full);
}

void SourceTree::add(llvm::StringRef path, llvm::StringRef text) {
  const std::string full = absolute(path);
  memory->addFile(full, 0, llvm::MemoryBuffer::getMemBuffer(text, full));
}

} // namespace lanecl::frontend
