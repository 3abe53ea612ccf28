// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/prefetch_neighbors.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "analysis/shapes/uniformity.h"
#include "kernel/rows/strided_loop.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr int64_t kShortStep = 512; // bytes; the processor's prefetchers recognize shorter steps
constexpr unsigned kAhead = 1;      // how many sub-groups ahead

// Inserts the prefetches of one function.
class Prefetcher {
public:
  Prefetcher(const LaunchClass &launch, ScalarEvolution &evolution, UniformityInfo &uniformity)
      : launch(launch), evolution(evolution), uniformity(uniformity) {}

  bool runOn(const Loop &loop);

private:
  bool isShared(LoadInst &load, const Loop &loop) const;
  void prefetchFor(LoadInst &load) const;

  const LaunchClass &launch;
  ScalarEvolution &evolution;
  UniformityInfo &uniformity;
};

// Returns whether the load is of global memory and its address advances by one element for each work-item of the
// work-group.
bool Prefetcher::isShared(LoadInst &load, const Loop &loop) const {
  const unsigned space = load.getPointerAddressSpace();
  if (!load.isSimple() || (space != kGlobal && space != kConstant) || isUniform(uniformity, *load.getPointerOperand()))
    return false;
  const auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load.getPointerOperand()));
  if (!address || address->getLoop() != &loop)
    return false;
  const auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
  const int64_t bytes = load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  const int64_t row = bytes * launch.local_size[0];
  return step && row >= kShortStep && step->getAPInt() == uint64_t(row);
}

// Prefetches the element of the lane with the same number in the next sub-group.
void Prefetcher::prefetchFor(LoadInst &load) const {
  const uint64_t bytes = load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  IRBuilder<> b(&load);
  Value *next = b.CreatePtrAdd(load.getPointerOperand(), b.getInt64(bytes * launch.width * kAhead));
  constexpr unsigned kRead = 0, kAllCaches = 3, kData = 1;
  b.CreateIntrinsic(Intrinsic::prefetch, {next->getType()},
                    {next, b.getInt32(kRead), b.getInt32(kAllCaches), b.getInt32(kData)});
}

bool Prefetcher::runOn(const Loop &loop) {
  SmallVector<LoadInst *, 4> loads;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && isShared(*load, loop))
        loads.push_back(load);
  for (LoadInst *load : loads)
    prefetchFor(*load);
  return !loads.empty();
}

} // namespace

PreservedAnalyses PrefetchNeighborsPass::run(Function &function, FunctionAnalysisManager &manager) {
  const std::array<uint32_t, 3> &local = context.launch.local_size;
  if (local[0] <= context.launch.width || local[1] != 1 || local[2] != 1 || hasKeptCalls(function))
    return PreservedAnalyses::all();
  Prefetcher prefetcher(context.launch, manager.getResult<ScalarEvolutionAnalysis>(function),
                        manager.getResult<UniformityInfoAnalysis>(function));
  bool changed = false;
  for (const Loop *loop : manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && !hasFewTurns(*loop))
      changed |= prefetcher.runOn(*loop);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
