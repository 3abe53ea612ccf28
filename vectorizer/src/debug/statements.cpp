// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug/statements.h"

#include "analysis/debug/debug_markers.h"
#include "pass_support/preserved.h"
#include "vectorizer/contract/jump_metadata.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using Line = std::pair<const DIFile *, unsigned>;

// Returns the line whose code the instruction is; nothing if it belongs to no statement. Clang also emits branches at
// the end of a scope; only the branches of jump statements count.
std::optional<Line> lineOf(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  if (!location || location->getLine() == 0 || isa<AllocaInst, PHINode>(instruction))
    return std::nullopt;
  if (const auto *branch = dyn_cast<BranchInst>(&instruction);
      branch && branch->isUnconditional() && !branch->hasMetadata(kJumpStatement))
    return std::nullopt;
  if (const auto *call = dyn_cast<IntrinsicInst>(&instruction); call && call->isLifetimeStartOrEnd())
    return std::nullopt;
  if (const auto *store = dyn_cast<StoreInst>(&instruction); store && isa<Argument>(store->getValueOperand()))
    return std::nullopt; // the store that turns a parameter into a variable
  return Line(location->getFile(), location->getLine());
}

// Finds where lines start. A line starts where control comes from another line. It does not start where control returns
// to it in the middle of an expression, that is, if a dominating block in the same iteration of the same loop has
// started it.
class LineStarts {
public:
  explicit LineStarts(Function &function) : function(function), tree(function), loops(tree) {}

  SmallVector<Instruction *> find();

private:
  void findLastLines();
  std::optional<Line> lineBefore(const BasicBlock &block) const;
  bool hasBegun(const BasicBlock &block, const Line &line) const;

  Function &function;
  DominatorTree tree;
  LoopInfo loops;
  // The line with which each block ends. Nothing: it may end with different lines. No entry: it is not known yet.
  DenseMap<const BasicBlock *, std::optional<Line>> last;
  DenseMap<const BasicBlock *, DenseSet<Line>> begun;
};

// Returns the line with which all predecessors end; nothing if they end with different ones.
std::optional<Line> LineStarts::lineBefore(const BasicBlock &block) const {
  std::optional<Line> common;
  for (const BasicBlock *from : predecessors(&block)) {
    const auto found = last.find(from);
    if (found == last.end())
      continue;
    if (!found->second || (common && *common != *found->second))
      return std::nullopt;
    common = found->second;
  }
  return common;
}

// Finds the line with which each block ends, until nothing changes. It is optimistic: a predecessor that is not known
// yet is ignored.
void LineStarts::findLastLines() {
  ReversePostOrderTraversal<Function *> order(&function);
  for (bool changed = true; std::exchange(changed, false);)
    for (BasicBlock *block : order) {
      std::optional<Line> line = lineBefore(*block);
      for (const Instruction &instruction : *block)
        if (const std::optional<Line> own = lineOf(instruction))
          line = own;
      const auto [entry, added] = last.try_emplace(block, line);
      if (!added && entry->second == line)
        continue;
      entry->second = line;
      changed = true;
    }
}

// Whether a dominating block in the same loop has started the line.
bool LineStarts::hasBegun(const BasicBlock &block, const Line &line) const {
  const Loop *loop = loops.getLoopFor(&block);
  for (const auto *node = tree.getNode(&block); node; node = node->getIDom()) {
    const auto found = begun.find(node->getBlock());
    if (found != begun.end() && loops.getLoopFor(node->getBlock()) == loop && found->second.contains(line))
      return true;
  }
  return false;
}

SmallVector<Instruction *> LineStarts::find() {
  findLastLines();
  SmallVector<Instruction *> starts;
  ReversePostOrderTraversal<Function *> order(&function); // dominating blocks come first
  for (BasicBlock *block : order) {
    std::optional<Line> line = lineBefore(*block);
    for (Instruction &instruction : *block) {
      const std::optional<Line> own = lineOf(instruction);
      if (!own || own == line)
        continue;
      line = own;
      if (hasBegun(*block, *own))
        continue;
      begun[block].insert(*own);
      starts.push_back(&instruction);
    }
  }
  return starts;
}

} // namespace

PreservedAnalyses DebugStatementsPass::run(Function &function, FunctionAnalysisManager &) {
  if (!context.debug || !function.getSubprogram())
    return PreservedAnalyses::all();
  const SmallVector<Instruction *> starts = LineStarts(function).find();
  for (const auto &[number, start] : enumerate(starts)) {
    IRBuilder<> builder(start);
    createStatement(builder, static_cast<unsigned>(number), /*writes=*/!context.optimize);
  }
  return preservedWithCfg(!starts.empty());
}

} // namespace lanecl::vectorizer
