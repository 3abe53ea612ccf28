// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/vector_optimize.h"

#include "analysis/memory/address_space_alias.h"
#include "defined/replace_undef.h"
#include "defined/value_numbering.h"
#include "optimize/hoisting.h"
#include "optimize/vector/branch_selects.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/MergedLoadStoreMotion.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// The analyses for this pass. They are separate from those of earlier passes, which use the lanes as their target;
// these use the processor.
struct Managers {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;

  Managers(const Triple &triple, TargetMachine *target) : builder(target) {
    // A kernel's functions may have the names of C library functions, so no function is taken for one.
    TargetLibraryInfoImpl library(triple);
    library.disableAllFunctions();
    functions.registerPass([&] { return TargetLibraryAnalysis(library); });
    registerAliasAnalyses(functions, builder);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};

FunctionToLoopPassAdaptor inductionVariables() {
  LoopPassManager loops;
  loops.addPass(IndVarSimplifyPass());
  loops.addPass(LoopFullUnrollPass());
  return createFunctionToLoopPassAdaptor(std::move(loops));
}

// Unrolls loops, unless there are very many. After each loop that it unrolls, LoopUnrollPass forgets what
// ScalarEvolution knows of the outermost loop around it. All loops from one barrier to the next are inside the loop
// over work-groups, so with many of them that would take quadratic time.
struct UnrollFewLoopsPass : PassInfoMixin<UnrollFewLoopsPass> {
  static constexpr size_t kMostLoops = 100;

  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    if (manager.getResult<LoopAnalysis>(function).getLoopsInPreorder().size() > kMostLoops)
      return PreservedAnalyses::all();
    return LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2)).run(function, manager);
  }
};

// Removes stores that are overwritten, unless there are very many stores. For each of them DSEPass looks through up to
// 150 accesses, which took a quarter of the time for a kernel that fills private arrays with constants.
struct RemoveDeadStoresPass : PassInfoMixin<RemoveDeadStoresPass> {
  static constexpr size_t kMostStores = 1000;

  static bool mayStore(const Instruction &instruction) { return instruction.mayWriteToMemory(); }

  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    if (size_t(count_if(instructions(function), mayStore)) > kMostStores)
      return PreservedAnalyses::all();
    return DSEPass().run(function, manager);
  }
};

// Makes the addresses of long blocks a base, which they share, and a constant: of `out[i + 1]`, `out[i + 2]` … all use
// the address of `out[i]`. The code generator does the same, but each address that it changes makes it look at all
// other uses of `i` again, which takes quadratic time.
struct SplitManyAddressesPass : PassInfoMixin<SplitManyAddressesPass> {
  static constexpr size_t kMostAddresses = 100;

  static bool isLong(const BasicBlock &block) {
    return size_t(count_if(block, IsaPred<GetElementPtrInst>)) > kMostAddresses;
  }

  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    if (none_of(function, isLong))
      return PreservedAnalyses::all();
    FunctionPassManager passes;
    passes.addPass(SeparateConstOffsetFromGEPPass());
    passes.addPass(EarlyCSEPass());
    return passes.run(function, manager);
  }
};

SimplifyCFGPass simplifyCfg() {
  return SimplifyCFGPass(SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true));
}

// Optimizes a kernel of one lane, whose branches are real ones. Stores of both sides of a branch to one address are
// merged, and what remains of the sides becomes selects. Iterations of its loops may be vectorized together. The
// components of its source's vectors may have become scalars, which SLPVectorizerPass joins again.
void optimizeItem(FunctionPassManager &passes) {
  passes.addPass(MergedLoadStoreMotionPass());
  passes.addPass(InstCombinePass()); // joins two loads into one, which the stores before it may then cross
  passes.addPass(MergedLoadStoreMotionPass());
  passes.addPass(BranchSelectsPass());
  passes.addPass(simplifyCfg());
  passes.addPass(createFunctionToLoopPassAdaptor(SimpleLoopUnswitchPass(/*NonTrivial=*/true), /*UseMemorySSA=*/true));
  passes.addPass(LoopVectorizePass());
  passes.addPass(InstCombinePass());
  passes.addPass(SLPVectorizerPass());
}

// Promotes variables to SSA values and gives those that were never written some value.
void promoteVariables(FunctionPassManager &passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(ReplaceUndefPass(Unwritten::Memory));
}

// The pipeline of one function: simplify, hoist, promote what that reveals, then unroll.
FunctionPassManager pipeline(const LaunchClass &launch) {
  FunctionPassManager passes;
  promoteVariables(passes);
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(simplifyCfg());
  passes.addPass(hoisting());
  passes.addPass(inductionVariables());
  promoteVariables(passes);
  passes.addPass(ValueNumberingPass());
  passes.addPass(SCCPPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(InstCombinePass());
  passes.addPass(RemoveDeadStoresPass());
  passes.addPass(ReplaceUndefPass(Unwritten::Memory)); // by now some variables are only read
  passes.addPass(hoisting());
  passes.addPass(ADCEPass());
  passes.addPass(simplifyCfg());
  if (launch.isOneLane())
    optimizeItem(passes);
  passes.addPass(UnrollFewLoopsPass());
  passes.addPass(InstCombinePass());
  passes.addPass(simplifyCfg());
  passes.addPass(SplitManyAddressesPass());
  return passes;
}

} // namespace

PreservedAnalyses VectorOptimizePass::run(Module &module, ModuleAnalysisManager &analyses) {
  if (!context.optimize)
    return PreservedAnalyses::all();
  analyses.clear();
  Managers managers(module.getTargetTriple(), context.target);
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(pipeline(context.launch)));
  passes.run(module, managers.modules);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
