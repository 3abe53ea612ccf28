// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/bit_selects.h"

#include "pass_support/preserved.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kRegisterBits = 256;

// A condition: bit `number` of each element of a vector, and whether the condition holds where the bit is set.
struct Bit {
  Value *of; // the vector
  unsigned number;
  bool when_set;
};

// Returns x if `of` is `x & mask` and the mask keeps the bit, else `of`.
Value *unmasked(Value *of, unsigned number) {
  Value *v = nullptr;
  const APInt *mask = nullptr;
  return match(of, m_And(m_Value(v), m_APInt(mask))) && (*mask)[number] ? v : of;
}

// Returns the bit that the condition tests, if it tests one.
std::optional<Bit> testedBit(const Value &condition) {
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  if (!compare)
    return std::nullopt;
  Value *v = nullptr;
  const APInt *constant = nullptr;
  if (compare->isEquality() && match(compare->getOperand(0), m_And(m_Value(v), m_Power2(constant))) &&
      match(compare->getOperand(1), m_Zero()))
    return Bit{v, constant->logBase2(), compare->getPredicate() == ICmpInst::ICMP_NE};
  // v < 2^k tests bit k if no higher bit of v may be set.
  if (compare->getPredicate() != ICmpInst::ICMP_ULT || !match(compare->getOperand(1), m_Power2(constant)))
    return std::nullopt;
  v = compare->getOperand(0);
  if (computeKnownBits(v, compare->getDataLayout()).countMaxActiveBits() > constant->logBase2() + 1)
    return std::nullopt;
  return Bit{unmasked(v, constant->logBase2()), constant->logBase2(), false};
}

// Blends register by register; `clear` is chosen where the bit is clear.
Value *blended(IRBuilderBase &b, const Bit &bit, Value *clear, Value *set) {
  auto *type = cast<FixedVectorType>(clear->getType());
  const unsigned bits = type->getScalarSizeInBits(), lanes = kRegisterBits / bits;
  assert((bits == 32 || bits == 64) && type->getNumElements() % lanes == 0 && bit.number < bits && "whole registers");
  auto *real = FixedVectorType::get(bits == 32 ? b.getFloatTy() : b.getDoubleTy(), lanes);
  const Intrinsic::ID id = bits == 32 ? Intrinsic::x86_avx_blendv_ps_256 : Intrinsic::x86_avx_blendv_pd_256;
  Value *signs = b.CreateShl(bit.of, bits - 1 - bit.number);
  SmallVector<Value *, 8> parts;
  for (unsigned first = 0; first < type->getNumElements(); first += lanes) {
    const auto part = [&](Value *v) {
      return b.CreateBitCast(b.CreateShuffleVector(v, createSequentialMask(first, lanes, 0)), real);
    };
    parts.push_back(b.CreateIntrinsic(id, {part(clear), part(set), part(signs)}));
  }
  return b.CreateBitCast(concatenateVectors(b, parts), type);
}

// Replaces the select if its condition tests one bit and its elements fill registers.
bool rewrite(SelectInst &select) {
  const auto *type = dyn_cast<FixedVectorType>(select.getType());
  if (!type || !(type->getElementType()->isIntegerTy() || type->getElementType()->isFloatingPointTy()))
    return false;
  if (!select.getCondition()->getType()->isVectorTy())
    return false;
  const unsigned bits = type->getScalarSizeInBits();
  const std::optional<Bit> bit = testedBit(*select.getCondition());
  if (!bit || (bits != 32 && bits != 64) || bit->of->getType()->getScalarSizeInBits() != bits ||
      type->getNumElements() * bits % kRegisterBits != 0)
    return false;
  IRBuilder<> b(&select);
  Value *a = select.getTrueValue(), *other = select.getFalseValue();
  Value *result = bit->when_set ? blended(b, *bit, other, a) : blended(b, *bit, a, other);
  result->takeName(&select);
  select.replaceAllUsesWith(result);
  select.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses BitSelectsPass::run(Function &function, FunctionAnalysisManager &) {
  if (!context.has("+avx2") || context.has("+avx512bw"))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      changed |= rewrite(*select);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
