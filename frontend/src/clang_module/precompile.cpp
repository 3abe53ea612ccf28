// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clang_module/precompile.h"

#include "clang_module/run_clang.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"

namespace lanecl::frontend {
namespace {

// Keeps the precompiled header in memory. Clang's own action writes a file, and registers signal handlers that would
// remove the file.
class PrecompileInMemory final : public clang::GeneratePCHAction {
public:
  PrecompileInMemory(std::string &bytes, const char *path) : bytes(bytes), path(path) {}

private:
  // The generator keeps the bytes in `buffer`, without a time stamp, so that equal headers give equal bytes.
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    buffer = std::make_shared<clang::PCHBuffer>();
    return std::make_unique<clang::PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(), path,
                                                 /*isysroot=*/"", buffer, compiler.getCodeGenOpts(),
                                                 compiler.getFrontendOpts().ModuleFileExtensions,
                                                 /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }

  void EndSourceFileAction() override {
    if (buffer && buffer->IsComplete)
      bytes.assign(buffer->Data.data(), buffer->Data.size());
    clang::GeneratePCHAction::EndSourceFileAction();
  }

  std::string &bytes;
  const char *const path;
  std::shared_ptr<clang::PCHBuffer> buffer;
};

} // namespace

std::string precompileHeader(llvm::ArrayRef<std::string> arguments, const SourceTree &files, const char *path) {
  std::string bytes, log;
  PrecompileInMemory action(bytes, path);
  return runClang(arguments, files, action, log) ? bytes : std::string();
}

} // namespace lanecl::frontend
