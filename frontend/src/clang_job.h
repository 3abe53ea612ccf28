// One run of Clang over files that exist in memory only.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class FrontendAction;
} // namespace clang

namespace lanecl::frontend {

// The disk with files laid over it.
class SourceTree {
public:
  SourceTree();

  // Relative paths count from the working directory. The text (NUL-terminated) must outlive the tree's last use.
  void add(llvm::StringRef path, llvm::StringRef text);
  bool isVirtual(llvm::StringRef path) const;
  const std::string &workingDirectory() const { return working_directory; }
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem() const { return overlay; }

private:
  std::string absolute(llvm::StringRef path) const;

  std::string working_directory;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay;
};

struct ClangResult {
  bool success = false;
  std::string log;                       // diagnostics as Clang prints them
  std::vector<std::string> dependencies; // files that were read, the main file included
};

// Runs `action` with the arguments of `clang -cc1`. Must be called under runGuarded().
ClangResult runClang(llvm::ArrayRef<std::string> arguments, const SourceTree &files, clang::FrontendAction &action);

} // namespace lanecl::frontend
