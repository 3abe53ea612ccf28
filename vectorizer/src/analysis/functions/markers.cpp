// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/functions/markers.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

std::optional<Marker> markerOf(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with("lanecl."))
    return std::nullopt;
  return StringSwitch<std::optional<Marker>>(callee->getName())
      .Case("lanecl.entry.mask", Marker::EntryMask)
      .Case("lanecl.block.mask", Marker::BlockMask)
      .Case("lanecl.any", Marker::Any)
      .Case("lanecl.whole", Marker::Whole)
      .Case("lanecl.leave", Marker::Leave)
      .Case("lanecl.effects", Marker::Effects)
      .Default(std::nullopt);
}

static StringRef nameOf(Marker marker) {
  switch (marker) {
  case Marker::EntryMask: return "lanecl.entry.mask";
  case Marker::BlockMask: return "lanecl.block.mask";
  case Marker::Any: return "lanecl.any";
  case Marker::Whole: return "lanecl.whole";
  case Marker::Leave: return "lanecl.leave";
  case Marker::Effects: return "lanecl.effects";
  }
  llvm_unreachable("every marker has a name");
}

Function *getMarker(Module &module, Marker marker) {
  if (Function *known = module.getFunction(nameOf(marker)))
    return known;
  LLVMContext &context = module.getContext();
  Type *bit = Type::getInt1Ty(context);
  Type *result = marker == Marker::BlockMask || marker == Marker::Effects ? Type::getVoidTy(context) : bit;
  const bool takes_mask = marker == Marker::BlockMask || marker == Marker::Any || marker == Marker::Whole;
  auto *type = takes_mask ? FunctionType::get(result, {bit}, false) : FunctionType::get(result, false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, nameOf(marker), module);
  function->setDoesNotThrow();
  function->setWillReturn();
  // Attributes that keep each marker where it means something:
  //
  //   convergent            Which lanes are active depends on the block, so a marker must not move to other control
  //                         flow. Only the entry mask is the same everywhere.
  //   inaccessible memory   block.mask has no result and would be removed without a side effect; two calls of leave
  //                         would be merged.
  //   any memory            No access moves over effects.
  if (marker == Marker::BlockMask || marker == Marker::Leave)
    function->setOnlyAccessesInaccessibleMemory();
  else if (marker != Marker::Effects)
    function->setDoesNotAccessMemory();
  if (marker != Marker::EntryMask)
    function->setConvergent();
  return function;
}

Value *blockMask(BasicBlock &block) {
  for (Instruction &instruction : block)
    if (markerOf(instruction) == Marker::BlockMask)
      return cast<CallBase>(instruction).getArgOperand(0);
  return nullptr;
}

static CallInst *createMarker(IRBuilderBase &builder, Marker marker, ArrayRef<Value *> arguments, const Twine &name) {
  assert(all_of(arguments, [](const Value *v) { return v->getType()->isIntegerTy(1); }) && "a lane's mask is a bit");
  return builder.CreateCall(getMarker(*builder.GetInsertBlock()->getModule(), marker), arguments, name);
}

CallInst *createEntryMask(IRBuilderBase &builder) {
  return createMarker(builder, Marker::EntryMask, {}, "entry.mask");
}

CallInst *createBlockMask(IRBuilderBase &builder, Value *mask) {
  return createMarker(builder, Marker::BlockMask, {mask}, "");
}

CallInst *createAny(IRBuilderBase &builder, Value *mask) {
  return createMarker(builder, Marker::Any, {mask}, "any");
}

CallInst *createWhole(IRBuilderBase &builder, Value *condition) {
  return createMarker(builder, Marker::Whole, {condition}, "whole");
}

CallInst *createLeave(IRBuilderBase &builder) {
  return createMarker(builder, Marker::Leave, {}, "leave");
}

CallInst *createEffects(IRBuilderBase &builder) {
  return createMarker(builder, Marker::Effects, {}, "");
}

} // namespace lanecl::vectorizer
