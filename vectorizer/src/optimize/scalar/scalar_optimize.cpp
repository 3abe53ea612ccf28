// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/scalar_optimize.h"

#include "analysis/lane_target.h"
#include "control_flow/keep_effects.h"
#include "control_flow/keep_in_loops.h"
#include "defined/freeze_casts.h"
#include "defined/replace_undef.h"
#include "defined/value_numbering.h"
#include "optimize/hoisting.h"
#include "optimize/scalar/affine_recurrences.h"
#include "optimize/scalar/bit_vectors.h"
#include "optimize/scalar/half_chains.h"
#include "optimize/scalar/memory_intrinsics.h"
#include "optimize/scalar/remainders.h"
#include "optimize/scalar/sum_order.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/MemCpyOptimizer.h"
#include "llvm/Transforms/Scalar/MergedLoadStoreMotion.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Simplifies control flow, without lookup tables for switches and without merging the common tails of blocks: both make
// all lanes execute code that a branch lets them skip.
static void simplifyCfg(FunctionPassManager &passes) {
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .convertSwitchToLookupTable(false)
                                     .hoistCommonInsts(true)
                                     .sinkCommonInsts(false)
                                     .needCanonicalLoops(true)));
  passes.addPass(KeepInLoopsPass());
}

// Simplifies induction variables and unrolls loops of few turns. Induction variables keep their width, because twice as
// many 32-bit lanes as 64-bit lanes fit into a register. A loop that starts at the local id and advances by the
// work-group's size has the same few turns in every lane; unrolled completely, it needs no conditions.
static void unroll(FunctionPassManager &passes) {
  LoopPassManager loops;
  loops.addPass(AffineRecurrencesPass());
  loops.addPass(IndVarSimplifyPass(/*WidenIndVars=*/false));
  loops.addPass(LoopDeletionPass());
  loops.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/false));
  passes.addPass(
      LoopUnrollPass(LoopUnrollOptions().setUpperBound(true).setPartial(false).setRuntime(false).setPeeling(false)));
}

// Promotes variables to SSA values. A variable that is read before it is written, or was written in part only, gets
// some value before an optimization can exploit that it is undefined.
static void promoteVariables(FunctionPassManager &passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(ReplaceUndefPass());
}

// Promotes variables and simplifies what that reveals. This part also runs without optimization.
static void addPromotion(FunctionPassManager &passes) {
  promoteVariables(passes);
  passes.addPass(FreezeCastsPass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InferAddressSpacesPass(kGeneric));
  passes.addPass(KeepEffectsPass());
  passes.addPass(TieToLoopsPass());
  simplifyCfg(passes);
}

// The optimizations proper: simplify, hoist and unroll, then simplify again what unrolling has revealed.
void ScalarOptimizePass::addOptimization(FunctionPassManager &passes) {
  // Runs before InstCombine, which may change the form of safe divisions that this pass matches.
  passes.addPass(RemaindersPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SCCPPass());
  simplifyCfg(passes);
  passes.addPass(SumOrderPass());
  passes.addPass(hoisting());
  passes.addPass(InstCombinePass());
  unroll(passes);
  passes.addPass(NumberLoopsPass(context));
  // Unrolled loops index arrays by constants, so the arrays can become values now.
  promoteVariables(passes);
  passes.addPass(InferAddressSpacesPass(kGeneric));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(ValueNumberingPass());
  passes.addPass(MemCpyOptPass());
  passes.addPass(SCCPPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(DSEPass());
  passes.addPass(ReplaceUndefPass()); // by now some variables are only read
  // Stores of both sides of a branch to one address become one store, under the mask of the branch itself.
  passes.addPass(MergedLoadStoreMotionPass());
  passes.addPass(ADCEPass());
  simplifyCfg(passes);
  passes.addPass(hoisting());
  passes.addPass(InstCombinePass());
}

PreservedAnalyses ScalarOptimizePass::run(Function &function, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  addPromotion(passes);
  if (context.optimize)
    addOptimization(passes);
  passes.addPass(MemoryIntrinsicsPass());
  if (context.optimize)
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  // Lanes are vectors of scalars, so operations on OpenCL vectors are split into components. A kernel of one lane keeps
  // its vectors.
  if (!context.launch.isOneLane())
    passes.addPass(ScalarizerPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(ReplaceUndefPass());
  if (context.optimize) {
    passes.addPass(HalfChainsPass(context));
    passes.addPass(InstCombinePass());
    simplifyCfg(passes);
    passes.addPass(ADCEPass());
  }
  passes.addPass(BitVectorsPass());
  return passes.run(function, analyses);
}

} // namespace lanecl::vectorizer
