// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions that are called are visited callers first, so that a version's own calls are made with the parameters
// that vary in it.

#include "functions/function_versions.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "analysis/memory/call_order.h"
#include "analysis/shapes/uniformity.h"
#include "kernel/launch/launch_abi.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr size_t kMostVersions = 3; // besides the one in which all parameters vary

// Bit i says that the i-th parameter after those of the launch is varying.
using Signature = SmallBitVector;

// Whether the value is what a kept function returns in check mode if its result may be uninitialized: a number with its
// shadow. Functions that return pointers are inlined then.
bool isNumberWithShadow(const Value &value) {
  const auto *result = dyn_cast<Instruction>(&value);
  return result != nullptr && hasShadowResult(*result->getFunction()) &&
         result->getType() == result->getFunction()->getReturnType();
}

// Whether the value may be or contain a pointer to private memory. Its address differs between lanes, although LLVM
// takes the pointer for uniform. Every structure counts.
bool maySayWhereLaneIs(const Value &value) {
  const Type *type = value.getType()->getScalarType();
  if (type->isAggregateType())
    return !isNumberWithShadow(value);
  return type->isPointerTy() && (value.getType()->isVectorTy() || mayPointToPrivate(value));
}

// Makes the versions of one module.
class Versions {
public:
  Versions(Module &module, FunctionAnalysisManager &analyses, bool one_lane)
      : analyses(analyses), order(callersFirst(module)), one_lane(one_lane) {}

  bool run();

private:
  struct Version {
    Signature signature;
    Function *function;
  };

  void findSameResult(Function &function);
  bool hasOwnValues(const Use &argument);
  Signature signatureOf(const CallBase &call);
  Function &version(Function &callee, Signature wanted);
  void call(Function &caller);

  FunctionAnalysisManager &analyses;
  const SmallVector<Function *> order;
  const bool one_lane; // whether the code is for one lane, so that nothing differs between lanes
  DenseMap<Function *, SmallVector<Version, 2>> versions;
};

// Marks a function whose result is uniform if its arguments are. Its callees have to be marked before.
void Versions::findSameResult(Function &function) {
  if (function.getReturnType()->isVoidTy())
    return;
  UnifyFunctionExitNodesPass().run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
  const auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(function);
  for (const BasicBlock &block : function)
    if (const auto *back = dyn_cast<ReturnInst>(block.getTerminator());
        back != nullptr && !one_lane &&
        (uniformity.isDivergentUse(back->getOperandUse(0)) || maySayWhereLaneIs(*back->getReturnValue())))
      return;
  markSameResult(function);
}

// Whether lanes pass values of their own for the argument.
bool Versions::hasOwnValues(const Use &argument) {
  if (one_lane || isa<Constant>(argument))
    return false;
  const auto &call = *cast<CallBase>(argument.getUser());
  const auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(*const_cast<Function *>(call.getFunction()));
  return uniformity.isDivergentUse(argument) || maySayWhereLaneIs(*argument);
}

Signature Versions::signatureOf(const CallBase &call) {
  assert(call.arg_size() >= kLanesParameterCount && "function-parameters has run");
  Signature signature(call.arg_size() - kLanesParameterCount);
  for (unsigned i = kLanesParameterCount; i < call.arg_size(); ++i)
    if (hasOwnValues(call.getArgOperandUse(i)))
      signature.set(i - kLanesParameterCount);
  return signature;
}

// Returns the version of a function for a set of varying parameters, which is made at first use.
Function &Versions::version(Function &callee, Signature wanted) {
  assert(wanted.size() + kLanesParameterCount == callee.arg_size() && "a bit for each parameter of the program");
  SmallVector<Version, 2> &known = versions[&callee];
  const auto find = [&] { return find_if(known, [&](const Version &version) { return version.signature == wanted; }); };
  auto found = find();
  if (found == known.end() && known.size() >= kMostVersions) {
    wanted.set();
    found = find();
  }
  if (found != known.end())
    return *found->function;
  ValueToValueMapTy values;
  Function *made = CloneFunction(&callee, values);
  std::string name = callee.getName().str() + ".";
  for (unsigned i = 0; i < wanted.size(); ++i) {
    name += wanted[i] ? 'v' : 'u';
    if (wanted[i])
      markVarying(*made->getArg(kLanesParameterCount + i));
  }
  made->setName(name);
  made->setLinkage(GlobalValue::InternalLinkage);
  known.push_back({wanted, made});
  return *made;
}

// Makes all calls of a function call versions.
void Versions::call(Function &caller) {
  for (Instruction &instruction : instructions(caller))
    if (Function *callee = keptCallee(instruction)) {
      auto &call = cast<CallBase>(instruction);
      call.setCalledFunction(&version(*callee, signatureOf(call)));
    }
}

bool Versions::run() {
  if (none_of(order, [](const Function *function) { return isKept(*function); }))
    return false;
  for (Function *function : reverse(order))
    if (isKept(*function))
      findSameResult(*function);
  for (Function *function : order) {
    if (!isKept(*function)) {
      call(*function);
      continue;
    }
    const SmallVector<Version, 2> own = versions[function]; // a copy, because calls add versions of other functions
    for (const Version &version : own)
      call(*version.function);
  }
  for (Function *function : order)
    if (isKept(*function)) {
      assert(function->use_empty() && "all calls are of versions now");
      analyses.clear(*function, function->getName());
      function->eraseFromParent();
    }
  return true;
}

} // namespace

PreservedAnalyses FunctionVersionsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  Versions versions(module, functions, context.hasOneLane());
  return versions.run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
