// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/functions/kept_functions.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr StringLiteral kAll = ".all", kMasked = ".masked";
static constexpr StringLiteral kKept = "lanecl-kept", kVarying = "lanecl-varying", kStride = "lanecl-stride",
                               kSameResult = "lanecl-same-result", kShadowResult = "lanecl-shadow-result";

// Returns the attributes without the promises that need not hold for a call of several lanes. Attributes of parameters
// and results describe one work-item's values, and attributes of memory describe one work-item's accesses. `convergent`
// is dropped because Clang gives it to every function; a function in which lanes exchange values is not kept at all.
static AttributeList withoutPromises(const AttributeList &all, LLVMContext &context) {
  AttrBuilder function(context, all.getFnAttrs());
  for (Attribute::AttrKind promise :
       {Attribute::Memory, Attribute::Speculatable, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree,
        Attribute::MustProgress, Attribute::Convergent})
    function.removeAttribute(promise);
  return AttributeList::get(context, AttributeSet::get(context, function), AttributeSet(), {});
}

// Replaces `byval` parameters, whose attribute is about to be dropped: the callee copies the structure on entry,
// because it may write to it.
static void copyStructures(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  const DataLayout &layout = function.getDataLayout();
  for (Argument &argument : function.args()) {
    Type *type = argument.getParamByValType();
    if (type == nullptr)
      continue;
    const Align align = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
    AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName());
    copy->setAlignment(align);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, align, &argument, align, layout.getTypeAllocSize(type));
  }
}

void keepFunction(Function &function) {
  assert(!function.isDeclaration() && !isKept(function) && "a function is marked once, when it is simplified");
  LLVMContext &context = function.getContext();
  copyStructures(function);
  function.setAttributes(withoutPromises(function.getAttributes(), context));
  function.addFnAttr(kKept);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &function)
      call->setAttributes(withoutPromises(call->getAttributes(), context));
}

bool isKept(const Function &function) {
  return function.hasFnAttribute(kKept);
}

Function *keptCallee(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && isKept(*callee) ? callee : nullptr;
}

bool hasKeptCalls(const Function &function) {
  return isKept(function) || any_of(instructions(function),
                                    [](const Instruction &instruction) { return keptCallee(instruction) != nullptr; });
}

std::string lanesName(const Function &kept, bool masked) {
  assert(!isLanesName(kept.getName()) && "the scalar function");
  return (kept.getName() + (masked ? kMasked : kAll)).str();
}

bool isLanesName(StringRef name) {
  return name.ends_with(kAll) || name.ends_with(kMasked);
}

// A version's name ends with a dot and its signature.
std::string nameInSource(StringRef version) {
  version.consume_back(kAll) || version.consume_back(kMasked);
  return demangle(version.rsplit('.').first);
}

void keepSymbol(Function &function) {
  function.setLinkage(GlobalValue::ExternalLinkage);
  function.setVisibility(GlobalValue::HiddenVisibility);
}

void markVarying(Argument &parameter) {
  assert(isKept(*parameter.getParent()) && "the parameters of kernels are uniform");
  parameter.addAttr(Attribute::get(parameter.getContext(), kVarying));
}

bool isVarying(const Argument &parameter) {
  return parameter.getParent()->getAttributes().getParamAttrs(parameter.getArgNo()).hasAttribute(kVarying);
}

void markStrided(Argument &parameter, int64_t stride) {
  assert(parameter.getType()->isPointerTy() && "only addresses of private variables are strided");
  markVarying(parameter);
  parameter.addAttr(Attribute::get(parameter.getContext(), kStride, std::to_string(stride)));
}

std::optional<int64_t> strideOf(const Argument &parameter) {
  const Attribute mark = parameter.getParent()->getAttributes().getParamAttr(parameter.getArgNo(), kStride);
  int64_t stride = 0;
  if (!mark.isValid() || mark.getValueAsString().getAsInteger(10, stride))
    return std::nullopt;
  return stride;
}

void markSameResult(Function &function) {
  function.addFnAttr(kSameResult);
}

bool hasSameResult(const Function &function) {
  return function.hasFnAttribute(kSameResult);
}

void markShadowResult(Function &function) {
  function.addFnAttr(kShadowResult);
}

bool hasShadowResult(const Function &function) {
  return function.hasFnAttribute(kShadowResult);
}

} // namespace lanecl::vectorizer
