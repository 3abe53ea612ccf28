// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/short_products.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kBits = 32, kFactorBits = 16;

// Returns whether the factor fits into a signed 16-bit integer. LLVM's analysis does not look through a splat.
bool isShort(const Value *factor, const DataLayout &layout) {
  const Value *splat = getSplatValue(factor); // null if the factor is no splat
  return ComputeMaxSignificantBits(splat ? splat : factor, layout) <= kFactorBits;
}

// Replaces the products of one function.
class ShortProducts {
public:
  ShortProducts(Function &function, bool has_512_bits) : function(function), most_lanes(has_512_bits ? 16 : 8) {}
  bool run();

private:
  bool isOfShorts(const BinaryOperator &product) const;
  Value *withoutUpperHalves(Instruction *factor);
  Value *multiply(IRBuilderBase &b, Value *x, Value *y) const;

  Function &function;
  const unsigned most_lanes;                     // lanes in one register
  DenseMap<Instruction *, Value *> lower_halves; // each factor with its upper halves cleared
};

// Returns whether the instruction is a product of two such factors, each of which has further uses.
bool ShortProducts::isOfShorts(const BinaryOperator &product) const {
  const auto *type = dyn_cast<FixedVectorType>(product.getType());
  if (product.getOpcode() != Instruction::Mul || !type || type->getScalarSizeInBits() != kBits ||
      type->getNumElements() % 8 != 0)
    return false;
  return all_of(product.operands(), [&](const Value *factor) {
    return isa<Instruction>(factor) && !factor->hasOneUse() && isShort(factor, product.getDataLayout());
  });
}

// Returns the factor with its upper halves cleared, computed once for all products.
Value *ShortProducts::withoutUpperHalves(Instruction *factor) {
  Value *&result = lower_halves[factor];
  if (result == nullptr) {
    IRBuilder<> b(factor->getContext());
    b.SetInsertPoint(*factor->getInsertionPointAfterDef());
    result = b.CreateAnd(factor, ConstantInt::get(factor->getType(), (1U << kFactorBits) - 1));
  }
  return result;
}

// Multiplies register by register.
Value *ShortProducts::multiply(IRBuilderBase &b, Value *x, Value *y) const {
  const unsigned all = cast<FixedVectorType>(x->getType())->getNumElements();
  const unsigned lanes = all % most_lanes == 0 ? most_lanes : most_lanes / 2;
  assert(all % lanes == 0 && x->getType() == y->getType() && "whole registers");
  const Intrinsic::ID id = lanes == 16 ? Intrinsic::x86_avx512_pmaddw_d_512 : Intrinsic::x86_avx2_pmadd_wd;
  auto *shorts = FixedVectorType::get(b.getInt16Ty(), 2 * lanes);
  SmallVector<Value *, 8> parts;
  for (unsigned first = 0; first < all; first += lanes) {
    const auto part = [&](Value *v) {
      return b.CreateBitCast(b.CreateShuffleVector(v, createSequentialMask(first, lanes, 0)), shorts);
    };
    parts.push_back(b.CreateIntrinsic(id, {part(x), part(y)}));
  }
  return concatenateVectors(b, parts);
}

bool ShortProducts::run() {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *product = dyn_cast<BinaryOperator>(&instruction);
    if (!product || !isOfShorts(*product))
      continue;
    // The upper halves of one factor have to be zero: of the one that is used in more products.
    auto *x = cast<Instruction>(product->getOperand(0)), *y = cast<Instruction>(product->getOperand(1));
    if (x->getNumUses() < y->getNumUses())
      std::swap(x, y);
    IRBuilder<> b(product);
    Value *result = multiply(b, withoutUpperHalves(x), y);
    result->takeName(product);
    product->replaceAllUsesWith(result);
    product->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses ShortProductsPass::run(Function &function, FunctionAnalysisManager &) {
  if (!context.has("+avx2"))
    return PreservedAnalyses::all();
  const bool has_512_bits = context.has("+avx512bw");
  return preservedWithCfg(ShortProducts(function, has_512_bits).run());
}

} // namespace lanecl::vectorizer
