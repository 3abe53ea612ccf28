// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kept functions: their parameters, their results and their calls.
#include "analysis/functions/kept_functions.h"
#include "kernel/launch/launch_abi.h"
#include "lanes/cross_lane/votes.h"
#include "widen/lanes_signature.h"
#include "widen/widener.h"

#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Whether lanes pass one scalar for the parameter: all of them the same value, or lane 0's of a strided one.
static bool isScalar(const Argument &parameter) {
  return !isVarying(parameter) || strideOf(parameter);
}

bool returnsScalar(const Function &kept) {
  return hasSameResult(kept) && none_of(kept.args(), isVarying);
}

// Returns the result type of the lanes functions.
static Type *lanesResult(const Function &kept, unsigned width) {
  Type *type = kept.getReturnType();
  if (type->isVoidTy() || returnsScalar(kept))
    return type;
  SmallVector<Type *, 4> components;
  for (Type *component : scalarTypes(type))
    components.push_back(FixedVectorType::get(component, width));
  return components.size() == 1 ? components[0] : StructType::get(kept.getContext(), components);
}

Function &lanesFunction(Function &kept, bool masked, unsigned width) {
  assert(isKept(kept) && kept.arg_size() >= kLanesParameterCount && "function-parameters has run");
  Module &module = *kept.getParent();
  const std::string name = lanesName(kept, masked);
  if (Function *known = module.getFunction(name))
    return *known;
  LLVMContext &context = kept.getContext();
  SmallVector<Type *> parameters(lanesFunctionType(context)->params());
  if (masked)
    parameters.push_back(Type::getIntNTy(context, width));
  for (const Argument &parameter : drop_begin(kept.args(), kLanesParameterCount)) {
    if (isScalar(parameter))
      parameters.push_back(parameter.getType());
    else
      for (Type *component : scalarTypes(parameter.getType()))
        parameters.push_back(FixedVectorType::get(component, width));
  }
  auto *type = FunctionType::get(lanesResult(kept, width), parameters, false);
  Function *lanes = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  lanes->setAttributes(AttributeList::get(context, kept.getAttributes().getFnAttrs(), AttributeSet(), {}));
  return *lanes;
}

// Maps the parameters of the scalar function to those of the lanes function.
void Widener::takeParameters() {
  if (options.masked)
    target.getArg(kLanesParameterCount)->setName("mask");
  auto *next = target.arg_begin();
  for (Argument &from : source.args()) {
    if (options.masked && next->getArgNo() == kLanesParameterCount)
      ++next;
    if (isScalar(from)) {
      next->setName(from.getName());
      scalars[&from] = &*next++;
      continue;
    }
    Values components;
    for (size_t i = 0, count = scalarTypes(from.getType()).size(); i < count; ++i) {
      next->setName(from.getName());
      components.push_back(&*next++);
    }
    setLanes(from, std::move(components));
  }
  // If the mask is the last parameter, no argument follows it at which the loop would have skipped it.
  assert(next + (options.masked && source.arg_size() == kLanesParameterCount) == target.arg_end() &&
         "the lanes function has a parameter for each component");
}

// Returns the result from the lanes function.
void Widener::returnLanes(Value *result) {
  if (result == nullptr) {
    b.CreateRetVoid();
    return;
  }
  assert(isKept(source) && "a kernel returns nothing");
  if (returnsScalar(source)) {
    b.CreateRet(anyActiveLane(result));
    return;
  }
  const Values components = lanesOf(result);
  if (components.size() == 1)
    b.CreateRet(components[0]);
  else
    b.CreateAggregateRet(components.data(), components.size());
}

// Calls a lanes function and returns the components of its result.
Widener::Values Widener::callLanes(CallBase &call, Function &lanes, ArrayRef<Value *> arguments) {
  debug.call(c, call, mask);
  CallInst *made = b.CreateCall(&lanes, arguments);
  if (context.debug)
    made->setTailCallKind(CallInst::TCK_NoTail); // debuggers show the caller
  if (call.getType()->isVoidTy())
    return {};
  if (returnsScalar(*keptCallee(call)))
    return {made};
  const size_t count = scalarTypes(call.getType()).size();
  if (count == 1)
    return {made};
  Values components;
  for (unsigned i = 0; i < count; ++i)
    components.push_back(b.CreateExtractValue(made, i));
  return components;
}

// Replaces the call of a kept function by a call of its lanes function. A block under a mask of its own may run with no
// active lane. Then the call is skipped, and its result is zero.
bool Widener::widenKeptCall(CallBase &call) {
  Function *callee = keptCallee(call);
  if (callee == nullptr)
    return false;
  const bool masked = mask != nullptr && !options.one_lane;
  Function &lanes = lanesFunction(*callee, masked, options.width);
  addRemark(context, Remark::Kind::Call, call,
            "'" + nameInSource(callee->getName()) + "' stays a function, because the kernel would become too large");
  SmallVector<Value *> arguments;
  for (unsigned i = 0; i < kLanesParameterCount; ++i)
    arguments.push_back(scalarOf(call.getArgOperand(i)));
  if (masked)
    arguments.push_back(lanes::maskBits(c, mask));
  for (const auto &[parameter, argument] : drop_begin(zip(callee->args(), call.args()), kLanesParameterCount)) {
    if (const std::optional<int64_t> stride = strideOf(parameter)) {
      assert(shapeOf(argument) == Shape::strided(*stride) && "no pass has changed the address");
      arguments.push_back(scalarOf(argument));
    } else if (isVarying(parameter)) {
      arguments.append(lanesOf(argument));
    } else {
      arguments.push_back(anyActiveLane(argument));
    }
  }
  assert(arguments.size() == lanes.arg_size() && "an argument for each parameter of the lanes function");
  const auto make = [&] { return callLanes(call, lanes, arguments); };
  const auto none = [&] {
    Values zeros;
    if (returnsScalar(*callee) && !call.getType()->isVoidTy())
      return Values{Constant::getNullValue(call.getType())};
    if (!call.getType()->isVoidTy())
      for (Type *component : scalarTypes(call.getType()))
        zeros.push_back(Constant::getNullValue(c.vectorOf(component)));
    return zeros;
  };
  Values result = mask == entry_mask ? make() : eitherWay(lanes::emitAny(c, mask), make, none);
  if (call.getType()->isVoidTy())
    return true;
  if (!returnsScalar(*callee))
    setResult(call, std::move(result));
  else if (isUniform(&call))
    setScalar(call, result[0]);
  else {
    Values components;
    for (Value *component : split(result[0]))
      components.push_back(b.CreateVectorSplat(options.width, component));
    setLanes(call, std::move(components));
  }
  return true;
}

} // namespace lanecl::vectorizer
