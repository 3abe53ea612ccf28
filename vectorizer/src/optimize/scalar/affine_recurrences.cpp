// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/affine_recurrences.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kMostSteps = 16; // operations in one turn

// The function that maps x to factor * x + summand, modulo 2^bits.
struct Affine {
  APInt factor, summand;

  static Affine identity(unsigned bits) { return {APInt(bits, 1), APInt(bits, 0)}; }
  // Returns the function that applies `first` and then this one.
  Affine after(const Affine &first) const { return {factor * first.factor, factor * first.summand + summand}; }
  // Returns the function applied `times` times, by repeated squaring.
  Affine repeated(APInt times) const {
    Affine result = identity(factor.getBitWidth()), power = *this;
    for (; !times.isZero(); times.lshrInPlace(1)) {
      if (times[0])
        result = power.after(result);
      power = power.after(power);
    }
    return result;
  }
};

// Returns what the last instruction of `value` does to its operand, and the operand.
std::optional<std::pair<Affine, Value *>> lastStep(Value *value) {
  Affine step = Affine::identity(value->getType()->getIntegerBitWidth());
  Value *operand;
  const APInt *number;
  if (match(value, m_Add(m_Value(operand), m_APInt(number))))
    step.summand = *number;
  else if (match(value, m_Sub(m_Value(operand), m_APInt(number))))
    step.summand = -*number;
  else if (match(value, m_Sub(m_APInt(number), m_Value(operand))))
    step = {-step.factor, *number};
  else if (match(value, m_Mul(m_Value(operand), m_APInt(number))))
    step.factor = *number;
  else if (match(value, m_Shl(m_Value(operand), m_APInt(number))) && number->ult(number->getBitWidth()))
    step.factor <<= *number;
  else
    return std::nullopt;
  return std::pair(step, operand);
}

// Returns `value` as a function of the phi, if it is an affine one.
std::optional<Affine> functionOf(const PHINode &phi, Value *value) {
  Affine function = Affine::identity(phi.getType()->getIntegerBitWidth());
  for (unsigned steps = 0; value != &phi; ++steps) {
    const auto last = lastStep(value);
    if (!last || steps == kMostSteps)
      return std::nullopt;
    function = function.after(last->first);
    value = last->second;
  }
  return function;
}

// One phi with an affine recurrence. `turns` is how often the loop goes back to its header.
class Recurrence {
public:
  Recurrence(Loop &loop, PHINode &phi, const Affine &turn, const APInt &turns)
      : loop(loop), phi(phi), at_exit(turn.repeated(turns)) {}

  // Replaces uses outside the loop of the phi and of the values that one turn computes from it.
  bool replaceExitValues(ScalarEvolution &evolution) {
    bool changed = replaceOutside(phi, evolution);
    for (Value *value = phi.getIncomingValueForBlock(loop.getLoopLatch()); value != &phi;
         value = lastStep(value)->second)
      changed |= replaceOutside(*cast<Instruction>(value), evolution);
    return changed;
  }

private:
  // Replaces the uses of one value outside the loop by its value in the last turn, computed from the start value.
  bool replaceOutside(Instruction &value, ScalarEvolution &evolution) {
    SmallVector<Use *, 4> uses;
    for (Use &use : value.uses())
      if (!loop.contains(cast<Instruction>(use.getUser())))
        uses.push_back(&use);
    if (uses.empty())
      return false;
    const std::optional<Affine> of_value = functionOf(phi, &value);
    assert(of_value && "a value of the phi's own turn");
    const auto [factor, summand] = of_value->after(at_exit);
    IRBuilder<> b(loop.getLoopPreheader()->getTerminator());
    Value *first = phi.getIncomingValueForBlock(loop.getLoopPreheader());
    Value *last = b.CreateAdd(b.CreateMul(first, b.getInt(factor)), b.getInt(summand), value.getName() + ".last");
    for (Use *use : uses) {
      evolution.forgetValue(use->getUser());
      use->set(last);
    }
    return true;
  }

  Loop &loop;
  PHINode &phi;
  Affine at_exit; // the phi's value in the turn that leaves the loop, as a function of its start value
};

} // namespace

PreservedAnalyses AffineRecurrencesPass::run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses,
                                             LPMUpdater &) {
  const auto *turns = dyn_cast<SCEVConstant>(analyses.SE.getBackedgeTakenCount(&loop));
  if (!turns || !loop.getLoopPreheader() || !loop.getLoopLatch() || !loop.getExitingBlock())
    return PreservedAnalyses::all();
  bool changed = false;
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy())
      continue;
    const std::optional<Affine> turn = functionOf(phi, phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (turn && !turn->factor.isOne())
      changed |= Recurrence(loop, phi, *turn, turns->getAPInt()).replaceExitValues(analyses.SE);
  }
  return changed ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
