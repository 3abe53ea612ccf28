// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions that are called are visited callers first, so that all calls of a function are known, with the
// parameters that vary in each, when its versions are made.

#include "functions/function_versions.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "analysis/memory/call_order.h"
#include "analysis/shapes/private_layout.h"
#include "analysis/shapes/shape.h"
#include "analysis/shapes/uniformity.h"
#include "kernel/launch/launch_abi.h"

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

// A function of more instructions gets a single version for all calls with varying arguments: to compile another one
// would take seconds, and what it would save at run time is lost in a function of this size. A call whose arguments
// are all uniform still gets its own version, whose code is scalar.
constexpr unsigned kLargeFunction = 4000;

// The shapes of the parameters after those of the launch. A strided one is a pointer to a private variable.
using Signature = SmallVector<Shape>;

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
  Shape shapeOf(const Use &argument);
  Signature signatureOf(const CallBase &call);
  Function &version(Function &callee, Signature wanted);
  void noteCalls(Function &caller);
  void replace(Function &function);

  FunctionAnalysisManager &analyses;
  const SmallVector<Function *> order;
  const bool one_lane; // whether the code is for one lane, so that nothing differs between lanes
  DenseMap<const Function *, SmallVector<Version, 2>> versions;
  DenseMap<const Function *, SmallVector<CallBase *>> calls; // of each kept function, those that are final
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

// Returns the distance in bytes from lane to lane if the value is the address of a private variable, or of a fixed
// place in it. Such a variable is laid out lane-major, because its address is passed to a function.
std::optional<int64_t> strideOfPrivate(const Value *address) {
  if (!address->getType()->isPointerTy())
    return std::nullopt;
  address = address->stripInBoundsConstantOffsets();
  if (const auto *variable = dyn_cast<AllocaInst>(address))
    return static_cast<int64_t>(laneMajorStride(*variable));
  const auto *parameter = dyn_cast<Argument>(address);
  return parameter != nullptr ? strideOf(*parameter) : std::nullopt;
}

// Returns how the values that lanes pass for the argument differ.
Shape Versions::shapeOf(const Use &argument) {
  if (one_lane || isa<Constant>(argument))
    return Shape::uniform();
  if (const std::optional<int64_t> stride = strideOfPrivate(argument))
    return Shape::strided(*stride);
  const auto &call = *cast<CallBase>(argument.getUser());
  const auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(*const_cast<Function *>(call.getFunction()));
  return uniformity.isDivergentUse(argument) || maySayWhereLaneIs(*argument) ? Shape::varying() : Shape::uniform();
}

Signature Versions::signatureOf(const CallBase &call) {
  assert(call.arg_size() >= kLanesParameterCount && "function-parameters has run");
  Signature signature;
  for (unsigned i = kLanesParameterCount; i < call.arg_size(); ++i)
    signature.push_back(shapeOf(call.getArgOperandUse(i)));
  return signature;
}

// Marks the parameter and returns its letters in the version's name: "u" for uniform, "v" for varying, "s4" for
// strided.
std::string mark(Argument &parameter, const Shape &shape) {
  if (shape.isUniform())
    return "u";
  if (shape.isVarying()) {
    markVarying(parameter);
    return "v";
  }
  markStrided(parameter, shape.stride());
  return "s" + std::to_string(shape.stride());
}

// Returns the version of a function for a set of varying parameters, which is made at first use.
Function &Versions::version(Function &callee, Signature wanted) {
  assert(wanted.size() + kLanesParameterCount == callee.arg_size() && "a shape for each parameter of the program");
  SmallVector<Version, 2> &known = versions[&callee];
  const auto find = [&] { return find_if(known, [&](const Version &version) { return version.signature == wanted; }); };
  auto found = find();
  if (found == known.end() && known.size() >= kMostVersions) {
    wanted.assign(wanted.size(), Shape::varying());
    found = find();
  }
  if (found != known.end())
    return *found->function;
  ValueToValueMapTy values;
  Function *made = CloneFunction(&callee, values);
  std::string name = callee.getName().str() + ".";
  for (unsigned i = 0; i < wanted.size(); ++i)
    name += mark(*made->getArg(kLanesParameterCount + i), wanted[i]);
  made->setName(name);
  made->setLinkage(GlobalValue::InternalLinkage);
  known.push_back({wanted, made});
  return *made;
}

// Replaces those of a large function's signatures that have a varying parameter by one that fits all of them.
void joinSignatures(MutableArrayRef<Signature> signatures) {
  const auto varies = [](const Signature &signature) {
    return any_of(signature, [](const Shape &shape) { return !shape.isUniform(); });
  };
  Signature joined;
  for (const Signature &signature : signatures)
    if (varies(signature)) {
      joined.resize(signature.size(), Shape::undefined());
      for (auto &&[all, shape] : zip_equal(joined, signature))
        all = Shape::join(all, shape);
    }
  for (Signature &signature : signatures)
    if (varies(signature))
      signature = joined;
}

// Notes which kept functions the function calls.
void Versions::noteCalls(Function &caller) {
  for (Instruction &instruction : instructions(caller))
    if (Function *callee = keptCallee(instruction))
      calls[callee].push_back(&cast<CallBase>(instruction));
}

// Replaces a kept function by its versions. All of its callers must have been replaced before.
void Versions::replace(Function &function) {
  const SmallVector<CallBase *> its_calls = calls.lookup(&function);
  SmallVector<Signature> signatures;
  for (const CallBase *call : its_calls)
    signatures.push_back(signatureOf(*call));
  if (function.getInstructionCount() > kLargeFunction)
    joinSignatures(signatures);
  for (const auto &[call, signature] : zip_equal(its_calls, signatures))
    call->setCalledFunction(&version(function, signature));
  assert(function.use_empty() && "all calls are of versions now");
  for (const Version &made : versions.lookup(&function))
    noteCalls(*made.function);
  analyses.clear(function, function.getName());
  function.eraseFromParent();
}

bool Versions::run() {
  if (none_of(order, [](const Function *function) { return isKept(*function); }))
    return false;
  for (Function *function : reverse(order))
    if (isKept(*function))
      findSameResult(*function);
  for (Function *function : order) {
    if (isKept(*function))
      replace(*function);
    else
      noteCalls(*function);
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
