// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/sum_order.h"

#include "pass_support/preserved.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// Returns whether the value will be invariant once everything that does not change has been hoisted.
bool isInvariant(const Value *value, const Loop &loop, unsigned depth = 0) {
  constexpr unsigned kDeepest = 6;
  if (loop.isLoopInvariant(value))
    return true;
  const auto *instruction = cast<Instruction>(value);
  return depth < kDeepest && isa<BinaryOperator, CastInst>(instruction) && isSafeToSpeculativelyExecute(instruction) &&
         all_of(instruction->operands(), [&](const Value *operand) { return isInvariant(operand, loop, depth + 1); });
}

// (invariant + changing) + other, where `other` is invariant, too, and neither sum overflows.
struct Sum {
  Value *invariant, *changing, *other;
};

// Matches `outer` as such a sum, with operands in any order.
std::optional<Sum> sumOf(const Instruction &outer, const Loop &loop) {
  Value *inner, *other, *a, *b;
  if (!match(&outer, m_NSWAdd(m_Value(inner), m_Value(other))))
    return std::nullopt;
  if (isInvariant(inner, loop))
    std::swap(inner, other);
  if (!isInvariant(other, loop) || !match(inner, m_OneUse(m_NSWAdd(m_Value(a), m_Value(b)))))
    return std::nullopt;
  if (isInvariant(b, loop))
    std::swap(a, b);
  return isInvariant(a, loop) && !isInvariant(b, loop) ? std::optional(Sum{a, b, other}) : std::nullopt;
}

// Adds the invariant parts first. Their sum does not overflow: it is at most the whole sum, because the changing part
// is not negative, and it is at least one of the two, because the other one is not negative.
bool reorder(Instruction &outer, const Loop &loop) {
  const std::optional<Sum> sum = sumOf(outer, loop);
  const SimplifyQuery query(outer.getDataLayout(), &outer);
  if (!sum || isa<Constant>(sum->other) || isa<Constant>(sum->invariant) || !isKnownNonNegative(sum->changing, query) ||
      (!isKnownNonNegative(sum->other, query) && !isKnownNonNegative(sum->invariant, query)))
    return false;
  IRBuilder<> b(&outer);
  outer.setOperand(0, b.CreateNSWAdd(sum->invariant, sum->other));
  outer.setOperand(1, sum->changing);
  // Nothing is known about unsigned overflow of the new order.
  outer.setHasNoUnsignedWrap(false);
  return true;
}

} // namespace

PreservedAnalyses SumOrderPass::run(Function &function, FunctionAnalysisManager &manager) {
  bool changed = false;
  const LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  for (const Loop *loop : loops.getLoopsInPreorder())
    for (BasicBlock *block : loop->blocks())
      if (loops.getLoopFor(block) == loop)
        for (Instruction &instruction : *block)
          changed |= reorder(instruction, *loop);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
