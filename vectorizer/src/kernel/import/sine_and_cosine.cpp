// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/sine_and_cosine.h"

#include "defined/defined_results.h"
#include "defined/replace_undef.h"
#include "defined/safe_division.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr StringLiteral kSine = "_Z3sin", kCosine = "_Z3cos"; // the prefixes of the mangled names

// Returns the instruction if it calls the library's function of float or double. Functions that the program defines may
// do anything. Calls that may be approximate have functions of their own, which share nothing.
static CallInst *callOf(Instruction &instruction, StringRef prefix) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration() || call->arg_size() != 1 || call->getType() != callee->getReturnType())
    return nullptr;
  const Type *element = call->getType()->getScalarType();
  StringRef types = callee->getName();
  const bool is_named = types.consume_front(prefix) && (types == "f" || types == "d" || types.starts_with("Dv"));
  const bool has_type =
      (element->isFloatTy() || element->isDoubleTy()) && call->getArgOperand(0)->getType() == call->getType();
  return is_named && has_type && !call->hasApproxFunc() ? call : nullptr;
}

static bool hasBoth(Function &function) {
  const auto has = [&](StringRef prefix) {
    return any_of(instructions(function), [&](Instruction &i) { return callOf(i, prefix); });
  };
  return has(kSine) && has(kCosine);
}

// Promotes variables and joins equal values, so that equal angles become one value: Clang keeps variables in memory. A
// program's own functions may have names of the C library and must not be taken for its functions.
static void makeEqualAnglesOne(Function &function) {
  FunctionAnalysisManager analyses;
  TargetLibraryInfoImpl library(function.getParent()->getTargetTriple());
  library.disableAllFunctions();
  analyses.registerPass([&] { return TargetLibraryAnalysis(library); });
  PassBuilder().registerFunctionAnalyses(analyses);
  FunctionPassManager passes;
  passes.addPass(DefinedResultsPass());
  passes.addPass(SafeDivisionPass());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(ReplaceUndefPass());
  passes.addPass(EarlyCSEPass());
  passes.run(function, analyses);
}

// Returns the declaration of float sincos(float, private float *), or of its form for another type.
static FunctionCallee sincosLike(Function &sine) {
  const StringRef types = sine.getName().drop_front(kSine.size());
  const std::string name = ("_Z6sincos" + types + (types.size() == 1 ? "P" + types : "PS_")).str();
  Type *type = sine.getReturnType();
  auto *signature = FunctionType::get(type, {type, PointerType::get(type->getContext(), 0)}, false);
  FunctionCallee sincos = sine.getParent()->getOrInsertFunction(name, signature);
  auto *callee = cast<Function>(sincos.getCallee());
  callee->setCallingConv(sine.getCallingConv());
  callee->setDoesNotThrow();
  callee->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Mod));
  return sincos;
}

// Replaces both calls by one of sincos where the first of them is.
static void join(CallInst &sine, CallInst &cosine) {
  CallInst &first = sine.comesBefore(&cosine) ? sine : cosine;
  Function &function = *first.getFunction();
  auto *result = new AllocaInst(sine.getType(), 0, "cosine", function.getEntryBlock().begin());
  IRBuilder<> b(&first);
  CallInst *both = b.CreateCall(sincosLike(*sine.getCalledFunction()), {sine.getArgOperand(0), result}, "sine");
  both->setCallingConv(sine.getCallingConv());
  both->copyIRFlags(&sine);
  both->andIRFlags(&cosine);
  cosine.replaceAllUsesWith(b.CreateLoad(cosine.getType(), result));
  sine.replaceAllUsesWith(both);
  sine.eraseFromParent();
  cosine.eraseFromParent();
}

// Joins calls within one block only: of two calls in different blocks, one may be executed more rarely.
static void joinIn(BasicBlock &block) {
  SmallMapVector<const Value *, CallInst *, 4> sines, cosines;
  for (Instruction &instruction : block)
    for (auto [prefix, calls] : {std::pair(kSine, &sines), std::pair(kCosine, &cosines)})
      if (CallInst *call = callOf(instruction, prefix))
        calls->try_emplace(call->getArgOperand(0), call);
  for (auto [angle, sine] : sines)
    if (CallInst *cosine = cosines.lookup(angle))
      join(*sine, *cosine);
}

void joinSineAndCosine(Module &program) {
  for (Function &function : program) {
    if (function.isDeclaration() || !hasBoth(function))
      continue;
    makeEqualAnglesOne(function);
    for (BasicBlock &block : function)
      joinIn(block);
  }
}

} // namespace lanecl::vectorizer
