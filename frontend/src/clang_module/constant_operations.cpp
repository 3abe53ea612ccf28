// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clang_module/constant_operations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace lanecl::frontend {
namespace {

// Whether Clang's constant evaluator knows the value.
bool evaluates(const clang::Expr &expression, const clang::ASTContext &context, clang::Expr::EvalResult &result) {
  return expression.EvaluateAsRValue(result, context);
}

bool hasDefinedValue(const clang::Expr &expression, const clang::ASTContext &context) {
  clang::Expr::EvalResult result;
  return evaluates(expression, context, result) && !result.HasUndefinedBehavior;
}

// Whether the IRBuilder may know the value. It folds more expressions than the constant evaluator does.
bool mayBeConstant(const clang::Expr &expression, const clang::ASTContext &context) {
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&expression))
    if (binary->getOpcode() == clang::BO_Assign || binary->getOpcode() == clang::BO_Comma)
      return mayBeConstant(*binary->getRHS(), context);
  if (llvm::isa<clang::CallExpr, clang::CXXThisExpr>(expression))
    return false;
  if (clang::Expr::EvalResult result; evaluates(expression, context, result))
    return true;
  if (llvm::isa<clang::DeclRefExpr>(expression))
    return false;
  return llvm::all_of(expression.children(), [&](const clang::Stmt *part) {
    const auto *operand = llvm::dyn_cast_or_null<clang::Expr>(part);
    return operand && mayBeConstant(*operand, context);
  });
}

// Visits the functions of each declaration before code is emitted for them, and changes operands in place.
class Keeper final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
public:
  Keeper() { ShouldVisitTemplateInstantiations = true; }

  void Initialize(clang::ASTContext &program) override { context = &program; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      TraverseDecl(declaration);
    return true;
  }

  // Visits constexpr functions only now. Constant expressions call them while the program is parsed, and must see them
  // unchanged; their code is emitted after the last declaration.
  void HandleTranslationUnit(clang::ASTContext &program) override {
    visits_constexpr = true;
    for (clang::Decl *declaration : program.getTranslationUnitDecl()->noload_decls())
      TraverseDecl(declaration);
  }

  bool TraverseDecl(clang::Decl *declaration) override {
    return !isEmitted(declaration) || Base::TraverseDecl(declaration);
  }
  bool TraverseTypeLoc(clang::TypeLoc, bool) override { return true; }
  bool TraverseConstantExpr(clang::ConstantExpr *) override { return true; }

  // Visits default arguments, which are emitted with each call. The base class would reach parameters through the
  // function's type, which TraverseTypeLoc() leaves out.
  bool VisitFunctionDecl(clang::FunctionDecl *function) override {
    return llvm::all_of(function->parameters(), [&](clang::ParmVarDecl *parameter) { return TraverseDecl(parameter); });
  }

  // A division is only changed if both operands may be constant, as otherwise the IRBuilder does not fold it.
  bool VisitBinaryOperator(clang::BinaryOperator *operation) override {
    const bool divides = operation->getOpcode() == clang::BO_Div || operation->getOpcode() == clang::BO_Rem;
    if (divides && operation->getType()->hasIntegerRepresentation() && mayBeConstant(*operation->getLHS(), *context) &&
        mayBeUndefined(*operation, *operation->getRHS()))
      operation->setRHS(loaded(operation->getRHS()));
    return true;
  }

  bool VisitConvertVectorExpr(clang::ConvertVectorExpr *conversion) override {
    if (convertsToInteger(*conversion, *conversion->getSrcExpr()))
      *conversion->child_begin() = loaded(conversion->getSrcExpr());
    return true;
  }

  // Clang itself defines the conversion of a scalar whose value its constant evaluator knows.
  bool VisitCastExpr(clang::CastExpr *cast) override {
    clang::Expr::EvalResult result;
    if (cast->getCastKind() == clang::CK_FloatingToIntegral && !evaluates(*cast, *context, result) &&
        convertsToInteger(*cast, *cast->getSubExpr()))
      cast->setSubExpr(loaded(cast->getSubExpr()));
    return true;
  }

private:
  using Base = clang::DynamicRecursiveASTVisitor;

  // Whether the contents of the declaration become code where they stand.
  bool isEmitted(const clang::Decl *declaration) const {
    if (const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(declaration))
      return !variable->hasGlobalStorage() && !variable->isConstexpr();
    if (const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration))
      return !function->isDependentContext() && (visits_constexpr || !function->isConstexpr());
    if (const auto *record = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(declaration))
      return !record->isDependentContext();
    return !llvm::isa_and_nonnull<clang::EnumDecl, clang::StaticAssertDecl, clang::TypedefNameDecl>(declaration);
  }

  // Whether Clang may fold the operation to poison: the operand is known and the operation has no defined value for it.
  bool mayBeUndefined(const clang::Expr &operation, const clang::Expr &operand) const {
    return !isLoaded(operand) && mayBeConstant(operand, *context) && !hasDefinedValue(operation, *context);
  }

  bool convertsToInteger(const clang::Expr &conversion, const clang::Expr &operand) const {
    return operand.getType()->hasFloatingRepresentation() && conversion.getType()->hasIntegerRepresentation() &&
           mayBeUndefined(conversion, operand);
  }

  // Whether the operand has been changed already: HandleTranslationUnit() visits all functions again.
  static bool isLoaded(const clang::Expr &operand) {
    const auto *load = llvm::dyn_cast<clang::ImplicitCastExpr>(&operand);
    const auto *literal = load ? llvm::dyn_cast<clang::CompoundLiteralExpr>(load->getSubExpr()) : nullptr;
    return literal && !llvm::isa<clang::InitListExpr>(literal->getInitializer());
  }

  // Returns `(type){value}` as an operand that is loaded from memory.
  clang::Expr *loaded(clang::Expr *value) const {
    const clang::QualType type = value->getType().getUnqualifiedType();
    auto *literal = new (*context)
        clang::CompoundLiteralExpr(value->getBeginLoc(), context->getTrivialTypeSourceInfo(type, value->getBeginLoc()),
                                   type, clang::VK_LValue, value, /*fileScope=*/false);
    return clang::ImplicitCastExpr::Create(*context, type, clang::CK_LValueToRValue, literal, nullptr,
                                           clang::VK_PRValue, clang::FPOptionsOverride());
  }

  clang::ASTContext *context = nullptr;
  bool visits_constexpr = false;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> makeConstantOperationKeeper() {
  return std::make_unique<Keeper>();
}

} // namespace lanecl::frontend
