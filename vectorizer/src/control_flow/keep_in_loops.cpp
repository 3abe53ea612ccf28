// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/keep_in_loops.h"

#include "analysis/functions/markers.h"
#include "analysis/waiting/turn_controls.h"
#include "pass_support/preserved.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <fmt/ranges.h>

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr const char *kLoops = "lanecl-loops"; // attribute of a call
static constexpr const char *kLoop = "lanecl.loop";   // in llvm.loop: a node of this name and a number

SmallVector<unsigned> loopsAround(const CallBase &exchange) {
  SmallVector<unsigned> numbers;
  SmallVector<StringRef> words;
  exchange.getFnAttr(kLoops).getValueAsString().split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    [[maybe_unused]] const bool failed = word.getAsInteger(10, numbers.emplace_back());
    assert(!failed && "setLoopsAround() has written numbers");
  }
  return numbers;
}

void setLoopsAround(CallBase &exchange, ArrayRef<unsigned> numbers) {
  exchange.removeFnAttr(kLoops);
  if (!numbers.empty())
    exchange.addFnAttr(Attribute::get(exchange.getContext(), kLoops, fmt::format("{}", fmt::join(numbers, " "))));
}

// Whether the operand of an `llvm.loop` node is our node with the loop's number.
static bool isNumber(const Metadata *operand) {
  const auto *node = dyn_cast_or_null<MDNode>(operand);
  const auto *name = node && node->getNumOperands() == 2 ? dyn_cast_or_null<MDString>(node->getOperand(0)) : nullptr;
  return name && name->getString() == kLoop;
}

// Returns the loop's `llvm.loop` node. Loop::getLoopID() wants it at all latches, but passes that move branches keep it
// at some of them only. A node with a number is preferred.
static MDNode *idOf(const Loop &loop) {
  SmallVector<BasicBlock *> latches;
  loop.getLoopLatches(latches);
  MDNode *id = nullptr;
  for (const BasicBlock *latch : latches)
    if (MDNode *found = latch->getTerminator()->getMetadata(LLVMContext::MD_loop))
      if (id == nullptr || any_of(found->operands(), isNumber))
        id = found;
  return id;
}

std::optional<unsigned> numberOf(const Loop &loop) {
  const MDNode *id = idOf(loop);
  for (const MDOperand &operand : id ? id->operands() : ArrayRef<MDOperand>())
    if (isNumber(operand))
      return mdconst::extract<ConstantInt>(cast<MDNode>(operand)->getOperand(1))->getZExtValue();
  return std::nullopt;
}

void setNumber(Loop &loop, unsigned number) {
  LLVMContext &context = loop.getHeader()->getContext();
  SmallVector<Metadata *> operands{nullptr}; // replaced by the node itself
  if (const MDNode *id = idOf(loop))
    for (const MDOperand &operand : drop_begin(id->operands()))
      if (!isNumber(operand))
        operands.push_back(operand);
  auto *value = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number));
  operands.push_back(MDNode::get(context, {MDString::get(context, kLoop), value}));
  MDNode *id = MDNode::getDistinct(context, operands);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
  assert(numberOf(loop) == number && "the loop has a latch that keeps the number");
}

namespace {

struct NumberedLoop {
  const Loop *loop = nullptr;
  MDNode *id = nullptr;
};

} // namespace

// Adds a never-taken edge from after the exchange to the loop's header.
static void tie(Instruction &exchange, const NumberedLoop &to) {
  assert(to.loop != nullptr && to.id != nullptr && !exchange.isTerminator() && "a call, and a loop with a number");
  BasicBlock *block = exchange.getParent(), &header = *to.loop->getHeader();
  BasicBlock *behind = SplitBlock(block, exchange.getNextNode());
  IRBuilder<> builder(block->getTerminator());
  builder.SetCurrentDebugLocation(exchange.getDebugLoc());
  BranchInst *branch = builder.CreateCondBr(createLeave(builder), behind, &header);
  branch->setMetadata(LLVMContext::MD_loop, to.id); // the new edge is a latch, and the loop would lose its number
  block->getTerminator()->eraseFromParent();
  for (PHINode &phi : header.phis())
    phi.addIncoming(&phi, block);
}

// Adds the block, and all blocks between the loop and it, to `kept`. Returns false if the block is there already.
static bool addWays(SmallPtrSetImpl<BasicBlock *> &kept, BasicBlock &last, const Loop &loop) {
  SmallVector<BasicBlock *> work{&last};
  if (!kept.insert(&last).second)
    return false;
  while (!work.empty())
    for (BasicBlock *before : predecessors(work.pop_back_val()))
      if (!loop.contains(before) && kept.insert(before).second)
        work.push_back(before);
  return true;
}

// Returns the loops that have a number, by that number.
static DenseMap<unsigned, NumberedLoop> numberedLoops(const LoopInfo &loops) {
  DenseMap<unsigned, NumberedLoop> numbered;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (const std::optional<unsigned> number = numberOf(*loop))
      numbered[*number] = {loop, idOf(*loop)};
  return numbered;
}

// If no loop has a number any more, that loop was unrolled, and each of its iterations has its own copy of the
// exchange.
bool keepInLoops(Function &function, const LoopInfo &loops, const DominatorTree &dominators) {
  const DenseMap<unsigned, NumberedLoop> numbered = numberedLoops(loops);
  if (numbered.empty())
    return false;
  // One edge after the last exchange of a block is enough for the block.
  MapVector<std::pair<BasicBlock *, unsigned>, Instruction *> last;
  for (Instruction &instruction : instructions(function)) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    for (unsigned number : call ? loopsAround(*call) : SmallVector<unsigned>()) {
      const Loop *loop = numbered.lookup(number).loop;
      BasicBlock *block = instruction.getParent();
      if (!loop || loop->contains(block) || !dominators.dominates(loop->getHeader(), block))
        continue;
      last[{block, number}] = &instruction;
      break;
    }
  }
  // One edge in the last of several blocks is enough for the blocks on the way to it.
  DenseMap<const Loop *, SmallPtrSet<BasicBlock *, 8>> kept;
  for (const auto &[place, exchange] : reverse(last))
    if (const NumberedLoop to = numbered.lookup(place.second); addWays(kept[to.loop], *place.first, *to.loop))
      tie(*exchange, to);
  return !last.empty();
}

bool isInEachTurn(const BasicBlock &block, const Loop &loop, const DominatorTree &dominators) {
  SmallVector<BasicBlock *> latches;
  loop.getLoopLatches(latches);
  return all_of(latches, [&](const BasicBlock *latch) { return dominators.dominates(&block, latch); });
}

bool isReachedAlone(const Instruction &instruction, const Loop &loop, const DominatorTree &dominators,
                    function_ref<bool(const Instruction &)> exchanges) {
  const BasicBlock *block = instruction.getParent();
  if (!dominators.dominates(loop.getHeader(), block))
    return false;
  if (any_of(make_range(block->begin(), instruction.getIterator()), exchanges))
    return false;
  SmallSetVector<const BasicBlock *, 8> between;
  between.insert(block);
  for (size_t i = 0; i < between.size(); ++i) {
    if (i != 0 && any_of(*between[i], exchanges))
      return false;
    for (const BasicBlock *before : predecessors(between[i]))
      if (!loop.contains(before))
        between.insert(before);
  }
  return true;
}

// Whether the exchange is followed by its never-taken edge already.
static bool isTied(const CallBase &exchange, const Loop &loop) {
  const Instruction &end = *exchange.getParent()->getTerminator();
  return isNeverTaken(end, 1) && exchange.getNextNode() == end.getOperand(0) && loop.contains(end.getSuccessor(1));
}

PreservedAnalyses TieToLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  const DenseMap<unsigned, NumberedLoop> numbered = numberedLoops(loops);
  if (numbered.empty())
    return PreservedAnalyses::all();
  const DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<std::pair<CallBase *, NumberedLoop>> ties;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    for (unsigned number : call ? loopsAround(*call) : SmallVector<unsigned>()) {
      const NumberedLoop to = numbered.lookup(number);
      if (to.loop && to.loop->contains(call) && !isTied(*call, *to.loop) &&
          !isInEachTurn(*call->getParent(), *to.loop, dominators) &&
          isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(to.loop)))
        ties.emplace_back(call, to);
    }
  }
  for (const auto &[call, to] : ties)
    tie(*call, to);
  return ties.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses KeepInLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const bool changed = keepInLoops(function, analyses.getResult<LoopAnalysis>(function),
                                   analyses.getResult<DominatorTreeAnalysis>(function));
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses NumberLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  DenseMap<const Loop *, std::pair<unsigned, unsigned>> numbers; // the old number and the new one
  for (Loop *loop : loops.getLoopsInPreorder())
    if (const std::optional<unsigned> before = numberOf(*loop)) {
      numbers[loop] = {*before, ++context.loops};
      setNumber(*loop, context.loops);
    }
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const SmallVector<unsigned> before = call ? loopsAround(*call) : SmallVector<unsigned>();
    if (before.empty())
      continue;
    SmallVector<unsigned> now;
    for (const Loop *loop = loops.getLoopFor(call->getParent()); loop; loop = loop->getParentLoop())
      if (const auto found = numbers.find(loop); found != numbers.end() && is_contained(before, found->second.first))
        now.push_back(found->second.second);
    setLoopsAround(*call, now);
  }
  return preservedWithCfg(!numbers.empty());
}

// Erases all calls of a marker, after `before` has been called for each.
static bool eraseMarkers(Function &function, Marker marker, function_ref<void(Instruction &)> before) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (markerOf(instruction) == marker) {
      before(instruction);
      instruction.eraseFromParent();
      changed = true;
    }
  return changed;
}

void resolveLeaves(Function &function) {
  auto *taken = ConstantInt::getTrue(function.getContext());
  if (!eraseMarkers(function, Marker::Leave, [&](Instruction &leave) { leave.replaceAllUsesWith(taken); }))
    return;
  for (BasicBlock &block : function)
    ConstantFoldTerminator(&block);
  removeUnreachableBlocks(function);
}

void forgetLoopStatements(Function &function) {
  resolveLeaves(function);
  eraseMarkers(function, Marker::Effects, [](Instruction &) {});
}

} // namespace lanecl::vectorizer
