// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "declared_functions.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Mangle.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <stdexcept>

namespace {

std::string mangled(clang::MangleContext &mangler, const clang::FunctionDecl &function) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  mangler.mangleName(clang::GlobalDecl(&function), stream);
  return name;
}

bool usesPipes(const clang::FunctionDecl &function) {
  return std::any_of(function.param_begin(), function.param_end(),
                     [](const clang::ParmVarDecl *parameter) { return parameter->getType()->isPipeType(); });
}

} // namespace

std::set<std::string> declaredFunctions(const std::string &language, const std::vector<std::string> &options) {
  std::vector<std::string> arguments{"--target=spir64-unknown-unknown",
                                     "-xcl",
                                     "-cl-std=" + language,
                                     "-cl-no-stdinc",
                                     "-include",
                                     "opencl-c.h",
                                     "-include",
                                     LANECL_C_HEADER,
                                     "-resource-dir=" LANECL_CLANG_RESOURCES};
  arguments.insert(arguments.end(), options.begin(), options.end());
  auto unit = clang::tooling::buildASTFromCodeWithArgs("", arguments, "declarations.cl");
  if (!unit || unit->getDiagnostics().hasErrorOccurred())
    throw std::runtime_error("the headers do not parse");
  std::unique_ptr<clang::MangleContext> mangler(unit->getASTContext().createMangleContext());
  std::set<std::string> names;
  for (const clang::Decl *declaration : unit->getASTContext().getTranslationUnitDecl()->decls()) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function && function->hasAttr<clang::OverloadableAttr>() && !usesPipes(*function))
      names.insert(mangled(*mangler, *function));
  }
  return names;
}
