// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/exit_counts.h"

#include "pass_support/preserved.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// The pattern: left = phi [poison], [blend]; blend = select(live & !stays, number, left). Here live = phi […], [stays],
// and the number rises or falls by one in each iteration.
struct ExitCount {
  PHINode *left;
  SelectInst *blend;
  Value *stays, *number;
  // The first value of the shared count, before the loop.
  Value *first;
  bool is_next; // the number is the count's value in the next iteration
  int64_t step;
};

// Matches the pattern at the phis of a loop's header.
class Finder {
public:
  explicit Finder(const Loop &loop) : preheader(loop.getLoopPreheader()), latch(loop.getLoopLatch()) {}
  std::optional<ExitCount> exitCount(PHINode &left) const;

private:
  // Whether `live` is the mask of the lanes that are in the loop, which `stays` becomes in the next iteration.
  bool isLive(const Value *live, const Value *stays) const {
    const auto *phi = dyn_cast<PHINode>(live);
    return phi != nullptr && phi->getParent() == latch->getSingleSuccessor() &&
           phi->getIncomingValueForBlock(latch) == stays;
  }
  bool setCount(ExitCount &found) const;

  BasicBlock *preheader, *latch;
};

// Finds the shared count whose current or next value is the number. Returns false if there is none.
bool Finder::setCount(ExitCount &found) const {
  const auto counts = [&](PHINode *phi) {
    const APInt *step = nullptr;
    Value *next = phi->getIncomingValueForBlock(latch);
    if (!match(next, m_Add(m_Specific(phi), m_APInt(step))) || !(step->isOne() || step->isAllOnes()))
      return false;
    found.first = phi->getIncomingValueForBlock(preheader);
    found.is_next = next == found.number;
    found.step = step->getSExtValue();
    return found.is_next || phi == found.number;
  };
  auto *phi = dyn_cast<PHINode>(found.number);
  if (phi == nullptr)
    if (auto *next = dyn_cast<BinaryOperator>(found.number))
      phi = dyn_cast<PHINode>(next->getOperand(0));
  return phi != nullptr && phi->getParent() == found.left->getParent() && counts(phi);
}

std::optional<ExitCount> Finder::exitCount(PHINode &left) const {
  auto *blend = dyn_cast<SelectInst>(left.getIncomingValueForBlock(latch));
  Value *live = nullptr, *stays = nullptr;
  if (!left.getType()->isIntegerTy() || left.getType()->isIntegerTy(1) || blend == nullptr ||
      !isa<UndefValue>(left.getIncomingValueForBlock(preheader)) || blend->getFalseValue() != &left ||
      !match(blend->getCondition(), m_c_And(m_Value(live), m_Not(m_Value(stays)))) || !isLive(live, stays))
    return std::nullopt;
  ExitCount found{&left, blend, stays, blend->getTrueValue(), nullptr, false, 0};
  return setCount(found) ? std::optional(found) : std::nullopt;
}

// Replaces the blend by a count for each lane. Lanes still in the loop may hold any number in `left`; they hold the one
// with which they would leave.
void countInLanes(const ExitCount &found, BasicBlock &preheader) {
  assert(found.first->getType() == found.left->getType() && found.stays->getType()->isIntegerTy(1) &&
         "a count and a mask");
  Value *step = ConstantInt::getSigned(found.left->getType(), found.step);
  IRBuilder<> before(preheader.getTerminator()), b(found.blend);
  found.left->setIncomingValueForBlock(&preheader, found.is_next ? before.CreateAdd(found.first, step) : found.first);
  Value *next = b.CreateSelect(found.stays, b.CreateAdd(found.left, step), found.left);
  next->takeName(found.blend);
  found.blend->replaceAllUsesWith(next);
  found.blend->eraseFromParent();
}

} // namespace

PreservedAnalyses ExitCountsPass::run(Function &function, FunctionAnalysisManager &manager) {
  bool changed = false;
  for (Loop *loop : manager.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    BasicBlock *preheader = loop->getLoopPreheader();
    if (preheader == nullptr || loop->getLoopLatch() == nullptr)
      continue;
    for (PHINode &phi : make_early_inc_range(loop->getHeader()->phis()))
      if (const std::optional<ExitCount> found = Finder(*loop).exitCount(phi)) {
        countInLanes(*found, *preheader);
        changed = true;
      }
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
