// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/values/poison.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Whether the shuffle takes elements of its second operand. Often that operand is poison and no element is taken from
// it.
static bool usesSecond(const ShuffleVectorInst &shuffle) {
  const int count = int(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  return any_of(shuffle.getShuffleMask(), [&](int from) { return from >= count; });
}

static bool mayHavePoison(const Value &value, unsigned depth) {
  constexpr unsigned kMostSteps = 6;
  if (isa<Constant>(value))
    return !isGuaranteedNotToBePoison(&value);
  if (const auto *load = dyn_cast<LoadInst>(&value))
    return isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()));
  if (const auto *call = dyn_cast<CallBase>(&value); call && (!isa<IntrinsicInst>(call) || call->mayReadFromMemory()))
    return false; // includes llvm.masked.gather
  if (isa<Argument, FreezeInst>(value))
    return false;
  // Phis count as poison: they may still be incomplete.
  const auto *operation = dyn_cast<Operator>(&value);
  if (!operation || isa<PHINode>(value) || depth == kMostSteps || canCreatePoison(operation))
    return true;
  if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(&value); shuffle && !usesSecond(*shuffle))
    return mayHavePoison(*shuffle->getOperand(0), depth + 1);
  return any_of(operation->operands(), [&](const Use &operand) { return mayHavePoison(*operand, depth + 1); });
}

bool mayHavePoison(const Value &value) {
  return mayHavePoison(value, 0);
}

} // namespace lanecl::vectorizer
