// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clang_module/jump_reader.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

namespace lanecl::frontend {
namespace {

// Notes where statements start as the debug information will have it: line and column after #line directives.
class Reader final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
public:
  explicit Reader(SourcePositions &jumps) : jumps(jumps) { ShouldVisitTemplateInstantiations = true; }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    sources = &context.getSourceManager();
    for (clang::Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
      TraverseDecl(declaration);
  }

  bool VisitBreakStmt(clang::BreakStmt *statement) override { return add(*statement); }
  bool VisitContinueStmt(clang::ContinueStmt *statement) override { return add(*statement); }
  bool VisitGotoStmt(clang::GotoStmt *statement) override { return add(*statement); }
  bool VisitReturnStmt(clang::ReturnStmt *statement) override { return statement->getRetValue() || add(*statement); }

private:
  bool add(const clang::Stmt &statement) {
    const clang::PresumedLoc place = sources->getPresumedLoc(statement.getBeginLoc());
    if (place.isValid())
      jumps.emplace(place.getLine(), place.getColumn());
    return true;
  }

  SourcePositions &jumps;
  const clang::SourceManager *sources = nullptr;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> makeJumpReader(SourcePositions &jumps) {
  return std::make_unique<Reader>(jumps);
}

} // namespace lanecl::frontend
