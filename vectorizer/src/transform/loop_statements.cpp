#include "transform/loop_statements.h"

#include "analysis/markers.h"
#include "frontend/source_order.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

class LoopStatements {
public:
  LoopStatements(Function &function, const LoopInfo &loops) : loops(loops.getLoopsInPreorder()) {
    if (!function.hasFnAttribute(frontend::kSourceOrder))
      return;
    for (const BasicBlock &block : function)
      position.try_emplace(&block, position.size());
  }

  // The innermost loop in whose statement the instruction stands.
  Loop *around(const Instruction &instruction) const {
    const BasicBlock *block = instruction.getParent();
    Loop *innermost = nullptr;
    for (Loop *loop : loops)
      if (loop->contains(block) || standsBetween(*block, *loop) || liesWithin(instruction, *loop))
        innermost = loop;
    return innermost;
  }

private:
  bool standsBetween(const BasicBlock &block, const Loop &loop) const {
    if (position.empty())
      return false;
    SmallVector<BasicBlock *> latches;
    loop.getLoopLatches(latches);
    const auto stands_behind = [&](BasicBlock *latch) { return position.at(latch) > position.at(&block); };
    return position.at(&block) > position.at(loop.getHeader()) && any_of(latches, stands_behind);
  }

  // What a macro expands to has one location altogether, which says nothing.
  static bool liesWithin(const Instruction &instruction, const Loop &loop) {
    const Loop::LocRange range = loop.getLocRange();
    const DILocation *first = range.getStart().get(), *last = range.getEnd().get();
    if (!first || !last || !isBefore(*first, *last))
      return false;
    for (const DILocation *at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt())
      if (at->getInlinedAt() == first->getInlinedAt() && at->getFile() == first->getFile() &&
          at->getScope()->getSubprogram() == first->getScope()->getSubprogram())
        return isBefore(*first, *at) && isBefore(*at, *last);
    return false;
  }

  static bool isBefore(const DILocation &a, const DILocation &b) {
    return std::pair(a.getLine(), a.getColumn()) < std::pair(b.getLine(), b.getColumn());
  }

  SmallVector<Loop *> loops; // outer before inner
  DenseMap<const BasicBlock *, size_t> position;
};

// Behind the exchange, control seems to be able to go on with the loop.
void tie(Instruction &exchange, BasicBlock &header) {
  BasicBlock *block = exchange.getParent();
  BasicBlock *behind = SplitBlock(block, exchange.getNextNode());
  IRBuilder<> builder(block->getTerminator());
  builder.SetCurrentDebugLocation(exchange.getDebugLoc());
  builder.CreateCondBr(createLeave(builder), behind, &header);
  block->getTerminator()->eraseFromParent();
  for (PHINode &phi : header.phis())
    phi.addIncoming(&phi, block);
}

} // namespace

void keepExchangesInLoops(Function &function, FunctionAnalysisManager &analyses,
                          function_ref<bool(const Instruction &)> exchanges) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return;
  const DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const LoopStatements statements(function, loops);
  MapVector<std::pair<BasicBlock *, BasicBlock *>, Instruction *> last; // of a block and a header
  for (Instruction &exchange : instructions(function)) {
    if (!exchanges(exchange))
      continue;
    BasicBlock *block = exchange.getParent();
    const Loop *loop = statements.around(exchange);
    if (loop && !loop->contains(block) && dominators.dominates(loop->getHeader(), block))
      last[{block, loop->getHeader()}] = &exchange;
  }
  for (const auto &[where, exchange] : reverse(last))
    tie(*exchange, *where.second);
  if (!last.empty())
    analyses.invalidate(function, PreservedAnalyses::none());
}

void resolveLeaves(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (markerOf(instruction) == Marker::Leave) {
      instruction.replaceAllUsesWith(ConstantInt::getTrue(function.getContext()));
      instruction.eraseFromParent();
      changed = true;
    }
  if (!changed)
    return;
  for (BasicBlock &block : function)
    ConstantFoldTerminator(&block);
  removeUnreachableBlocks(function);
}

} // namespace lanecl::vectorizer
