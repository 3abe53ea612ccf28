// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/split_conditions.h"

#include "analysis/shapes/uniformity.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// One operand of a condition.
struct Operand {
  Value *value;
  // Whether the branch uses the operand in any case. Otherwise it may be poison where an earlier operand has decided.
  bool counts;
};

// A branch on a && b && … or on a || b || …, with the operands in the order in which they are evaluated.
struct Condition {
  BranchInst *branch = nullptr;
  bool any = false; // a || b
  SmallVector<Operand, 4> uniform, divergent;

  // Returns the block to which a single operand may lead: if it is false (`&&`) or true (`||`).
  BasicBlock *decided() const { return branch->getSuccessor(any ? 0 : 1); }
  Value *combine(IRBuilderBase &b, Value *x, Value *y) const {
    return any ? b.CreateLogicalOr(x, y) : b.CreateLogicalAnd(x, y);
  }
};

// Collects the operands of a condition, uniform and divergent ones apart.
void collect(Value *value, bool counts, const UniformityInfo &uniformity, Condition &condition) {
  Value *x = nullptr, *y = nullptr;
  const bool combines = condition.any ? match(value, m_LogicalOr(m_Value(x), m_Value(y)))
                                      : match(value, m_LogicalAnd(m_Value(x), m_Value(y)));
  if (isUniform(uniformity, *value))
    condition.uniform.push_back({value, counts});
  else if (combines && value->hasOneUse()) {
    collect(x, counts, uniformity, condition);
    collect(y, counts && isa<BinaryOperator>(value), uniformity, condition);
  } else
    condition.divergent.push_back({value, counts});
}

// Whether linearize keeps a uniform branch from `from` to `target`: the branch leaves a loop, or all other paths from
// `from` pass `target`, too.
bool mayBranchTo(const BasicBlock &target, const BasicBlock &from, const LoopInfo &loops,
                 const PostDominatorTree &tree) {
  const Loop *loop = loops.getLoopFor(&from);
  if (loop != nullptr && !loop->contains(&target))
    return true;
  if (loop != nullptr && loop->getHeader() == &target)
    return false;
  const auto *node = tree.getNode(&from);
  return node != nullptr && node->getIDom() != nullptr && node->getIDom()->getBlock() == &target;
}

// Returns the condition of the block's branch, if it is divergent but has both uniform and divergent operands.
std::optional<Condition> conditionOf(BasicBlock &block, UniformityInfo &uniformity) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch == nullptr || branch->isUnconditional() || !uniformity.hasDivergentTerminator(block))
    return std::nullopt;
  for (bool any : {false, true}) {
    Condition condition{branch, any, {}, {}};
    collect(branch->getCondition(), /*counts=*/true, uniformity, condition);
    if (!condition.uniform.empty() && !condition.divergent.empty())
      return condition;
  }
  return std::nullopt;
}

// Returns the operand, frozen if it may be poison where it is now evaluated.
Value *defined(IRBuilderBase &b, const Operand &operand) {
  const bool is_defined = operand.counts || isGuaranteedNotToBeUndefOrPoison(operand.value);
  return is_defined ? operand.value : b.CreateFreeze(operand.value);
}

// Replaces the branch by one on the uniform operands and one, in a new block, on the divergent operands.
void split(const Condition &condition, LoopInfo &loops) {
  BranchInst &branch = *condition.branch;
  BasicBlock &block = *branch.getParent(), *decided = condition.decided();
  BasicBlock *other = branch.getSuccessor(condition.any ? 1 : 0);
  assert(other != decided && "equal targets are merged");
  BasicBlock *rest =
      BasicBlock::Create(block.getContext(), block.getName() + ".lanes", block.getParent(), block.getNextNode());
  if (Loop *loop = loops.getLoopFor(&block))
    loop->addBasicBlockToLoop(rest, loops);

  IRBuilder<> b(&branch);
  Value *shared = defined(b, condition.uniform.front());
  for (const Operand &operand : drop_begin(condition.uniform))
    shared = condition.any ? b.CreateOr(shared, defined(b, operand)) : b.CreateAnd(shared, defined(b, operand));
  b.CreateCondBr(shared, condition.any ? decided : rest, condition.any ? rest : decided);

  b.SetInsertPoint(rest);
  b.SetCurrentDebugLocation(branch.getDebugLoc());
  Value *own = condition.divergent.front().value;
  for (const Operand &operand : drop_begin(condition.divergent))
    own = condition.combine(b, own, operand.value);
  b.CreateCondBr(own, branch.getSuccessor(0), branch.getSuccessor(1));

  for (PHINode &phi : other->phis())
    phi.replaceIncomingBlockWith(&block, rest);
  for (PHINode &phi : decided->phis())
    phi.addIncoming(phi.getIncomingValueForBlock(&block), rest);
  Value *whole = branch.getCondition();
  branch.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(whole);
}

} // namespace

PreservedAnalyses SplitConditionsPass::run(Function &function, FunctionAnalysisManager &manager) {
  UniformityInfo &uniformity = manager.getResult<UniformityInfoAnalysis>(function);
  const auto &tree = manager.getResult<PostDominatorTreeAnalysis>(function);
  LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  SmallVector<Condition> conditions;
  for (BasicBlock &block : function)
    if (std::optional<Condition> condition = conditionOf(block, uniformity))
      if (mayBranchTo(*condition->decided(), block, loops, tree))
        conditions.push_back(std::move(*condition));
  for (const Condition &condition : conditions)
    split(condition, loops);
  return conditions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
