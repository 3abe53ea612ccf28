// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/jump_statements.h"

#include "vectorizer/contract/jump_metadata.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::frontend {
namespace {

class Reader final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
public:
  explicit Reader(SourcePlaces &jumps) : jumps(jumps) { ShouldVisitTemplateInstantiations = true; }

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

  SourcePlaces &jumps;
  const clang::SourceManager *sources = nullptr;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> makeJumpReader(SourcePlaces &jumps) {
  return std::make_unique<Reader>(jumps);
}

void markJumps(llvm::Module &module, const SourcePlaces &jumps) {
  llvm::MDNode *yes = llvm::MDNode::get(module.getContext(), {});
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
      const llvm::DebugLoc &location = instruction.getDebugLoc();
      if (branch && branch->isUnconditional() && location && jumps.contains({location.getLine(), location.getCol()}))
        instruction.setMetadata(vectorizer::kJumpStatement, yes);
    }
}

} // namespace lanecl::frontend
