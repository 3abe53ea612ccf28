// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/keep_in_loops.h"

#include "analysis/markers.h"
#include "pass_support/preserved.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <fmt/ranges.h>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr const char *kLoops = "lanecl-loops"; // of a call
static constexpr const char *kLoop = "lanecl.loop";   // in llvm.loop: a node of this and a number

SmallVector<unsigned> loopsAround(const CallBase &exchange) {
  SmallVector<unsigned> numbers;
  SmallVector<StringRef> words;
  exchange.getFnAttr(kLoops).getValueAsString().split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    word.getAsInteger(10, numbers.emplace_back());
  return numbers;
}

void setLoopsAround(CallBase &exchange, ArrayRef<unsigned> numbers) {
  exchange.removeFnAttr(kLoops);
  if (!numbers.empty())
    exchange.addFnAttr(Attribute::get(exchange.getContext(), kLoops, fmt::format("{}", fmt::join(numbers, " "))));
}

static bool isNumber(const Metadata *operand) {
  const auto *node = dyn_cast_or_null<MDNode>(operand);
  const auto *name = node && node->getNumOperands() == 2 ? dyn_cast_or_null<MDString>(node->getOperand(0)) : nullptr;
  return name && name->getString() == kLoop;
}

std::optional<unsigned> numberOf(const Loop &loop) {
  const MDNode *id = loop.getLoopID();
  for (const MDOperand &operand : id ? id->operands() : ArrayRef<MDOperand>())
    if (isNumber(operand))
      return mdconst::extract<ConstantInt>(cast<MDNode>(operand)->getOperand(1))->getZExtValue();
  return std::nullopt;
}

void setNumber(Loop &loop, unsigned number) {
  LLVMContext &context = loop.getHeader()->getContext();
  SmallVector<Metadata *> operands{nullptr}; // the node itself
  if (const MDNode *id = loop.getLoopID())
    for (const MDOperand &operand : drop_begin(id->operands()))
      if (!isNumber(operand))
        operands.push_back(operand);
  auto *value = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number));
  operands.push_back(MDNode::get(context, {MDString::get(context, kLoop), value}));
  MDNode *id = MDNode::getDistinct(context, operands);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

// Adds an edge from behind the exchange to the loop's header, which is never taken.
static void tie(Instruction &exchange, BasicBlock &header) {
  BasicBlock *block = exchange.getParent();
  BasicBlock *behind = SplitBlock(block, exchange.getNextNode());
  IRBuilder<> builder(block->getTerminator());
  builder.SetCurrentDebugLocation(exchange.getDebugLoc());
  builder.CreateCondBr(createLeave(builder), behind, &header);
  block->getTerminator()->eraseFromParent();
  for (PHINode &phi : header.phis())
    phi.addIncoming(&phi, block);
}

// A number without a loop means that the loop was unrolled: each iteration has its own copy of the exchange.
bool keepInLoops(Function &function, const LoopInfo &loops, const DominatorTree &dominators) {
  DenseMap<unsigned, const Loop *> numbered;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (const std::optional<unsigned> number = numberOf(*loop))
      numbered[*number] = loop;
  if (numbered.empty())
    return false;
  // One edge behind the last exchange of a block is enough.
  MapVector<std::pair<BasicBlock *, BasicBlock *>, Instruction *> last;
  for (Instruction &instruction : instructions(function)) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    for (unsigned number : call ? loopsAround(*call) : SmallVector<unsigned>()) {
      const Loop *loop = numbered.lookup(number);
      BasicBlock *block = instruction.getParent();
      if (!loop || loop->contains(block) || !dominators.dominates(loop->getHeader(), block))
        continue;
      last[{block, loop->getHeader()}] = &instruction;
      break;
    }
  }
  for (const auto &[place, exchange] : reverse(last))
    tie(*exchange, *place.second);
  return !last.empty();
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
