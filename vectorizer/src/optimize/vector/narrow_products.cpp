// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/narrow_products.h"

#include "pass_support/preserved.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr unsigned kFactorBits = 16, kProductBits = 2 * kFactorBits;

// Returns whether the factor fits into a signed 16-bit integer.
bool isShort(const Value *factor, const DataLayout &layout) {
  return ComputeMaxSignificantBits(factor, layout) <= kFactorBits;
}

// Returns whether the factor fits into an unsigned 16-bit integer.
bool isUnsignedShort(const Value *factor, const DataLayout &layout) {
  return computeKnownBits(factor, layout).countMaxActiveBits() <= kFactorBits;
}

// Returns how the product has to be extended from 32 bits, or nothing if a factor may have more than 16 bits.
std::optional<Instruction::CastOps> extension(const BinaryOperator &product) {
  const DataLayout &layout = product.getDataLayout();
  const Value *const first = product.getOperand(0), *const second = product.getOperand(1);
  if (isShort(first, layout) && isShort(second, layout))
    return Instruction::SExt;
  if (isUnsignedShort(first, layout) && isUnsignedShort(second, layout))
    return Instruction::ZExt;
  return std::nullopt;
}

// Computes the product in 32 bits if its factors allow it.
bool narrow(BinaryOperator &product) {
  if (product.getOpcode() != Instruction::Mul || !product.getType()->isVectorTy() ||
      product.getType()->getScalarSizeInBits() <= kProductBits)
    return false;
  const std::optional<Instruction::CastOps> extend = extension(product);
  if (!extend)
    return false;
  IRBuilder<> b(&product);
  Type *type = product.getType()->getWithNewBitWidth(kProductBits);
  Value *first = b.CreateTrunc(product.getOperand(0), type), *second = b.CreateTrunc(product.getOperand(1), type);
  Value *result = b.CreateCast(*extend, b.CreateMul(first, second), product.getType());
  result->takeName(&product);
  product.replaceAllUsesWith(result);
  product.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses NarrowProductsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *product = dyn_cast<BinaryOperator>(&instruction))
      changed |= narrow(*product);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
