// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/clang_job.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace lanecl::frontend {
namespace {

std::vector<const char *> pointers(llvm::ArrayRef<std::string> arguments) {
  std::vector<const char *> result;
  for (const std::string &argument : arguments)
    result.push_back(argument.c_str());
  return result;
}

} // namespace

SourceTree::SourceTree() : memory(llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>()) {
  // A file system with a working directory of its own: the process may change its own at any time.
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

ClangResult runClang(llvm::ArrayRef<std::string> arguments, const SourceTree &files, clang::FrontendAction &action) {
  ClangResult result;
  llvm::raw_string_ostream log(result.log);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  {
    clang::DiagnosticOptions options;
    clang::TextDiagnosticPrinter printer(log, options);
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(*files.fileSystem(), options, &printer, /*ShouldOwnClient=*/false);
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers(arguments), *diagnostics))
      return result;
  }
  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files.fileSystem());
  compiler.createDiagnostics(new clang::TextDiagnosticPrinter(log, invocation->getDiagnosticOpts()),
                             /*ShouldOwnClient=*/true);
  compiler.createFileManager();
  compiler.setVerboseOutputStream(log);
  result.success = compiler.ExecuteAction(action);
  return result;
}

} // namespace lanecl::frontend
