// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/loop_statements.h"

#include "analysis/functions/markers.h"
#include "control_flow/keep_in_loops.h"
#include "vectorizer/contract/source_order.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Knows where the statement of each loop starts and ends in the order of the function's blocks.
class LoopStatements {
public:
  LoopStatements(Function &function, const LoopInfo &loops, const DominatorTree &dominators,
                 SourceFacts::Test exchanges)
      : loops(loops.getLoopsInPreorder()), dominators(dominators), exchanges(exchanges),
        has_source_order(function.hasFnAttribute(kSourceOrder)) {
    std::reverse(this->loops.begin(), this->loops.end());
    for (BasicBlock &block : function) {
      position.try_emplace(&block, position.size());
      blocks.push_back(&block);
    }
    for (const Loop *loop : this->loops)
      ends[loop] = has_source_order ? endOf(*loop) : lastOf(*loop) + 1;
  }

  // Returns the loops whose statements contain the instruction, the innermost first.
  SmallVector<Loop *> around(const Instruction &instruction) const {
    const BasicBlock *block = instruction.getParent();
    return loopsThat([&](const Loop &loop) {
      return loop.contains(block) || (has_source_order && standsBetween(*block, loop)) || liesWithin(instruction, loop);
    });
  }

  // Returns the loops whose statements contain an effect. If nothing else is known, the order of blocks is taken for
  // that of the source.
  SmallVector<Loop *> aroundEffect(const Instruction &instruction) const {
    const BasicBlock *block = instruction.getParent();
    return loopsThat([&](const Loop &loop) {
      return loop.contains(block) || liesWithin(instruction, loop) ||
             (standsBetween(*block, loop) && (has_source_order || isDoneAlone(instruction, loop)));
    });
  }

private:
  // Whether a lane can have this effect before the other lanes leave the loop. It cannot if the effect is a call of a
  // function with a barrier, because all lanes have to reach the barrier together.
  bool isDoneAlone(const Instruction &effect, const Loop &loop) const {
    return !exchanges(effect) && isReachedAlone(effect, loop, dominators, exchanges);
  }

  // Returns the position of the loop's last block.
  size_t lastOf(const Loop &loop) const {
    size_t last = 0;
    for (const BasicBlock *block : loop.blocks())
      last = std::max(last, position.at(block));
    return last;
  }

  // Returns the position after the loop's statement. After the loop's last block there may be code that `continue`
  // skips or that ends with `break`, and then the block that Clang creates for the end of the statement. That block is
  // found by its name, if Clang keeps names.
  size_t endOf(const Loop &loop) const {
    const size_t behind = lastOf(loop) + 1;
    if (!isLoopStatement(loop))
      return behind;
    unsigned open = 0; // loop statements that start after the loop and have not ended yet
    for (size_t i = behind; i < blocks.size(); ++i) {
      const auto begun = find_if(loops, [&](const Loop *other) { return other->getHeader() == blocks[i]; });
      if (isEnd(*blocks[i]) && open-- == 0)
        return i;
      if (begun != loops.end() && isLoopStatement(**begun))
        open += hasEnd(**begun);
    }
    return behind;
  }

  // Whether Clang's name of the header says that the loop comes from a loop statement.
  static bool isLoopStatement(const Loop &loop) {
    const StringRef name = loop.getHeader()->getName();
    return any_of(ArrayRef<StringRef>{"for.cond", "for.body", "while.cond", "while.body", "do.body"},
                  [&](StringRef begin) { return name.starts_with(begin); });
  }

  // Whether Clang's name of the block says that a loop statement ends there.
  static bool isEnd(const BasicBlock &block) {
    return any_of(ArrayRef<StringRef>{"for.end", "while.end", "do.end"},
                  [&](StringRef begin) { return block.getName().starts_with(begin); });
  }

  // Whether the loop's statement has a block for its end. Clang leaves it out if nothing reaches it.
  static bool hasEnd(const Loop &loop) {
    SmallVector<BasicBlock *> exits;
    loop.getUniqueExitBlocks(exits);
    return any_of(exits, [](const BasicBlock *exit) {
      return isEnd(*exit) || any_of(successors(exit), [](const BasicBlock *next) { return isEnd(*next); });
    });
  }

  // Returns the loops for which the test is true, inner loops first.
  SmallVector<Loop *> loopsThat(function_ref<bool(const Loop &)> test) const {
    SmallVector<Loop *> found;
    copy_if(loops, std::back_inserter(found), [&](const Loop *loop) { return test(*loop); });
    return found;
  }

  // Whether the block stands between the loop's header and the end of its statement.
  bool standsBetween(const BasicBlock &block, const Loop &loop) const {
    return position.at(&block) > position.at(loop.getHeader()) && position.at(&block) < ends.at(&loop);
  }

  // Whether the source location of the instruction, or of a call through which it was inlined, lies within the loop's
  // source range. All instructions of a macro expansion have the same location, so an empty range proves nothing.
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

  SmallVector<Loop *> loops; // inner loops before outer ones
  const DominatorTree &dominators;
  SourceFacts::Test exchanges;
  bool has_source_order;
  DenseMap<const BasicBlock *, size_t> position;
  std::vector<BasicBlock *> blocks; // by position
  DenseMap<const Loop *, size_t> ends;
};

// Gives numbers to loops and notes them at calls. Each loop gets one number.
class LoopNumbers {
public:
  explicit LoopNumbers(PassContext &context) : context(context) {}

  void give(CallBase &call, ArrayRef<Loop *> loops) {
    SmallVector<unsigned> around;
    for (Loop *loop : loops) {
      const auto [known, is_new] = numbers.try_emplace(loop, context.loops + 1);
      if (is_new)
        setNumber(*loop, ++context.loops);
      around.push_back(known->second);
    }
    setLoopsAround(call, around);
  }

private:
  PassContext &context;
  DenseMap<const Loop *, unsigned> numbers;
};

// Marks the effects of a block. The last effect in a loop stands for all effects before it.
void markEffectsOf(BasicBlock &block, const LoopStatements &statements, LoopNumbers &numbers,
                   SourceFacts::Test has_effects, const SmallPtrSetImpl<Loop *> &waiting) {
  SmallPtrSet<Loop *, 4> marked;
  for (Instruction &effect : make_early_inc_range(reverse(block))) {
    if (!has_effects(effect))
      continue;
    SmallVector<Loop *> around = statements.aroundEffect(effect);
    erase_if(around, [&](Loop *loop) { return !waiting.contains(loop); });
    if (all_of(around, [&](Loop *loop) { return marked.contains(loop); }))
      continue;
    marked.insert_range(around);
    IRBuilder<> builder(&block, std::next(effect.getIterator()));
    builder.SetCurrentDebugLocation(effect.getDebugLoc());
    numbers.give(*createEffects(builder), around);
  }
}

// Marks the effects in loops that may wait.
void markEffects(Function &function, const LoopStatements &statements, LoopNumbers &numbers, const SourceFacts &facts) {
  SmallPtrSet<Loop *, 4> waiting;
  for (const Instruction &instruction : instructions(function))
    if (facts.waits(instruction))
      waiting.insert_range(statements.aroundEffect(instruction));
  if (waiting.empty())
    return;
  for (BasicBlock &block : function)
    markEffectsOf(block, statements, numbers, facts.has_effects, waiting);
}

} // namespace

void numberLoopStatements(Function &function, FunctionAnalysisManager &analyses, PassContext &context,
                          const SourceFacts &facts) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return;
  const LoopStatements statements(function, loops, analyses.getResult<DominatorTreeAnalysis>(function),
                                  facts.exchanges);
  LoopNumbers numbers(context);
  const bool has_source = function.hasFnAttribute(kSourceOrder) || function.getSubprogram();
  for (Instruction &instruction : instructions(function))
    if (has_source && facts.exchanges(instruction))
      numbers.give(cast<CallBase>(instruction), statements.around(instruction));
    else if (facts.is_marked(instruction))
      numbers.give(cast<CallBase>(instruction), statements.aroundEffect(instruction));
  markEffects(function, statements, numbers, facts);
}

} // namespace lanecl::vectorizer
