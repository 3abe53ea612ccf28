// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/yields.h"

#include "analysis/waiting/turn_controls.h"
#include "analysis/waiting/waiting_loops.h"
#include "defined/replace_undef.h"
#include "pass_support/remarks.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the declaration of the primitive.
static FunctionCallee yieldFunction(Module &module) {
  FunctionCallee callee = module.getOrInsertFunction("__lanecl_yield", Type::getVoidTy(module.getContext()));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setConvergent();
  return callee;
}

// Returns the place in the program for which the loop waits. For a read that was inlined from a built-in function, that
// is the line of the call.
static DebugLoc placeOf(const WaitingLoop &waiting) {
  DebugLoc place = waiting.reads.front()->getDebugLoc();
  if (!place)
    place = waiting.loop->getStartLoc();
  return place;
}

// Adds a counter of the loop's iterations, which starts at zero. addYield() adds one to it at the end of each
// iteration.
static PHINode *addTurnCounter(const Loop &loop) {
  BasicBlock *header = loop.getHeader();
  IRBuilder<> builder(header, header->begin());
  PHINode *turns = builder.CreatePHI(builder.getInt32Ty(), pred_size(header), "turns");
  for (BasicBlock *from : predecessors(header))
    turns->addIncoming(loop.contains(from) ? cast<Value>(turns) : builder.getInt32(0), from);
  return turns;
}

// Adds a yield to the block between an iteration and the next one. With a counter, only iterations whose number is a
// multiple of kTurns yield.
static void addYield(BasicBlock &again, PHINode *turns, const DebugLoc &place) {
  constexpr unsigned kTurns = 64;
  assert(again.getSingleSuccessor() != nullptr && "the block lies on the edge to the next iteration");
  IRBuilder<> builder(again.getTerminator());
  builder.SetCurrentDebugLocation(place);
  if (turns != nullptr) {
    Value *next = builder.CreateAdd(turns, builder.getInt32(1));
    Value *is_due = builder.CreateIsNull(builder.CreateAnd(next, kTurns - 1));
    turns->setIncomingValueForBlock(&again, next);
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_due, again.getTerminator(), /*Unreachable=*/false));
  }
  CallInst *yield = builder.CreateCall(yieldFunction(*again.getModule()));
  yield->setConvergent();
  if (turns != nullptr)
    yield->addFnAttr(Attribute::get(yield->getContext(), kGetsOn));
}

// Adds yields to all edges that go back to the header, except edges that are never taken.
static void addYields(const WaitingLoop &waiting) {
  BasicBlock *header = waiting.loop->getHeader();
  SmallSetVector<BasicBlock *, 2> ends;
  for (BasicBlock *from : predecessors(header))
    if (waiting.loop->contains(from))
      ends.insert(from);
  PHINode *turns = waiting.gets_on ? addTurnCounter(*waiting.loop) : nullptr;
  for (BasicBlock *from : ends) {
    Instruction &end = *from->getTerminator();
    const auto taken = find_if(seq(0u, end.getNumSuccessors()),
                               [&](unsigned i) { return end.getSuccessor(i) == header && !isNeverTaken(end, i); });
    if (taken != seq(0u, end.getNumSuccessors()).end())
      addYield(*SplitEdge(from, header), turns, placeOf(waiting));
  }
}

static SmallVector<WaitingLoop, 2> findIn(Function &function, FunctionAnalysisManager &manager) {
  return findWaitingLoops(manager.getResult<LoopAnalysis>(function),
                          manager.getResult<ScalarEvolutionAnalysis>(function), manager.getResult<AAManager>(function));
}

PreservedAnalyses YieldsPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (!mayWait(function))
    return PreservedAnalyses::all();
  const SmallVector<WaitingLoop, 2> waiting = findIn(function, manager);
  if (waiting.empty())
    return PreservedAnalyses::all();
  context.facts.yields = true;
  for (const WaitingLoop &loop : waiting) {
    if (context.remarks)
      addRemark(context, Remark::Kind::Barrier, *loop.reads.front(),
                "other sub-groups run while this one waits for them in a loop here");
    addYields(loop);
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses FindWaitsPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (!mayWait(function))
    return PreservedAnalyses::all();
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(ReplaceUndefPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().needCanonicalLoops(true)));
  passes.run(function, manager);
  manager.invalidate(function, PreservedAnalyses::none());
  context.facts.yields |= !findIn(function, manager).empty();
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
