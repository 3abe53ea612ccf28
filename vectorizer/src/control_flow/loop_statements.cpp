// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/loop_statements.h"

#include "control_flow/keep_in_loops.h"
#include "vectorizer/contract/source_order.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

class LoopStatements {
public:
  LoopStatements(Function &function, const LoopInfo &loops) : loops(loops.getLoopsInPreorder()) {
    std::reverse(this->loops.begin(), this->loops.end());
    if (!function.hasFnAttribute(kSourceOrder))
      return;
    for (const BasicBlock &block : function)
      position.try_emplace(&block, position.size());
  }

  // The loops whose statements contain the instruction, the innermost first.
  SmallVector<Loop *> around(const Instruction &instruction) const {
    const BasicBlock *block = instruction.getParent();
    SmallVector<Loop *> found;
    for (Loop *loop : loops)
      if (loop->contains(block) || standsBetween(*block, *loop) || liesWithin(instruction, *loop))
        found.push_back(loop);
    return found;
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

  // All instructions of a macro expansion have the same location, which proves nothing.
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

  SmallVector<Loop *> loops; // inner before outer
  DenseMap<const BasicBlock *, size_t> position;
};

} // namespace

void numberLoopStatements(Function &function, FunctionAnalysisManager &analyses, PassContext &context,
                          function_ref<bool(const Instruction &)> exchanges) {
  if (!function.hasFnAttribute(kSourceOrder) && !function.getSubprogram())
    return;
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return;
  const LoopStatements statements(function, loops);
  DenseMap<const Loop *, unsigned> numbers;
  for (Instruction &exchange : instructions(function)) {
    if (!exchanges(exchange))
      continue;
    SmallVector<unsigned> around;
    for (Loop *loop : statements.around(exchange)) {
      const auto [known, is_new] = numbers.try_emplace(loop, context.loops + 1);
      if (is_new)
        setNumber(*loop, ++context.loops);
      around.push_back(known->second);
    }
    setLoopsAround(cast<CallBase>(exchange), around);
  }
}

} // namespace lanecl::vectorizer
