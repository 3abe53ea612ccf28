// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs one action of Clang, as the driver's -cc1 does, without a process of its own.
#include "clang_module/run_clang.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

namespace lanecl::frontend {
namespace {

std::vector<const char *> pointers(llvm::ArrayRef<std::string> arguments) {
  std::vector<const char *> result;
  for (const std::string &argument : arguments)
    result.push_back(argument.c_str());
  return result;
}

} // namespace

bool runClang(llvm::ArrayRef<std::string> arguments, const SourceTree &files, clang::FrontendAction &action,
              std::string &log) {
  llvm::raw_string_ostream stream(log);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  {
    clang::DiagnosticOptions options;
    clang::TextDiagnosticPrinter printer(stream, options);
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(*files.fileSystem(), options, &printer, /*ShouldOwnClient=*/false);
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers(arguments), *diagnostics))
      return false;
  }
  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files.fileSystem());
  compiler.createDiagnostics(new clang::TextDiagnosticPrinter(stream, invocation->getDiagnosticOpts()),
                             /*ShouldOwnClient=*/true);
  // A built-in function may have a hundred overloads. Where no overload fits a call, Clang lists 32 of them the first
  // time and four after that. This makes it four from the start.
  compiler.getDiagnostics().overloadCandidatesShown(std::numeric_limits<unsigned>::max());
  compiler.createFileManager();
  compiler.setVerboseOutputStream(stream);
  return compiler.ExecuteAction(action);
}

} // namespace lanecl::frontend
