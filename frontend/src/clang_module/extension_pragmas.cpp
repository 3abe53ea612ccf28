// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clang_module/extension_pragmas.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>

namespace lanecl::frontend {
namespace {

// Gives the warning that Clang's own two warnings are replaced by.
class WarnAboutMissing final : public clang::PPCallbacks {
public:
  WarnAboutMissing(clang::DiagnosticsEngine &diagnostics, const std::vector<std::string> &extensions)
      : diagnostics(diagnostics), extensions(extensions),
        warning(diagnostics.getDiagnosticIDs()->getCustomDiagID(
            {clang::diag::Severity::Warning, "unsupported OpenCL extension %0 - ignoring",
             clang::DiagnosticIDs::CLASS_WARNING,
             /*ShowInSystemHeader=*/false, /*ShowInSystemMacro=*/false, clang::diag::Group::IgnoredPragmas})) {}

  void PragmaOpenCLExtension(clang::SourceLocation name_location, const clang::IdentifierInfo *name,
                             clang::SourceLocation, unsigned) override {
    if (!name->isStr("all") && std::find(extensions.begin(), extensions.end(), name->getName()) == extensions.end())
      diagnostics.Report(name_location, warning) << name;
  }

private:
  clang::DiagnosticsEngine &diagnostics;
  const std::vector<std::string> &extensions;
  const unsigned warning;
};

} // namespace

void acceptExtensionPragmas(clang::CompilerInstance &compiler, const std::vector<std::string> &extensions) {
  clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  for (const unsigned id : {clang::diag::warn_pragma_unknown_extension, clang::diag::warn_pragma_unsupported_extension})
    diagnostics.setSeverity(id, clang::diag::Severity::Ignored, clang::SourceLocation());
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<WarnAboutMissing>(diagnostics, extensions));
}

} // namespace lanecl::frontend
