// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/debug/debug_markers.h"

#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr StringLiteral kVariable = "lanecl.variable";

static StringRef nameOf(DebugMarker marker) {
  switch (marker) {
  case DebugMarker::Statement: return "lanecl.statement";
  case DebugMarker::Variable: return kVariable;
  case DebugMarker::LanesStatement: return "lanecl.statement.lanes";
  case DebugMarker::LanesVariable: return "lanecl.variable.lanes";
  case DebugMarker::Begin: return "lanecl.begin";
  }
  llvm_unreachable("every marker has a name");
}

bool isDebugMarker(const Value &value, DebugMarker marker) {
  const auto *call = dyn_cast<CallBase>(&value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == nameOf(marker);
}

// Creates a call of the marker function, which is declared in the module at first use.
static CallInst *create(IRBuilderBase &builder, DebugMarker marker, ArrayRef<Value *> arguments,
                        MemoryEffects effects) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Function *function = module.getFunction(nameOf(marker));
  if (!function) {
    SmallVector<Type *> types(map_range(arguments, [](const Value *argument) { return argument->getType(); }));
    function = Function::Create(FunctionType::get(builder.getVoidTy(), types, false), GlobalValue::ExternalLinkage,
                                nameOf(marker), module);
    for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree})
      function->addFnAttr(kind);
    function->setMemoryEffects(effects);
  }
  assert(function->arg_size() == arguments.size() && "all calls of a marker have the same arguments");
  return builder.CreateCall(function, arguments);
}

// Creates a call that LLVM neither duplicates nor merges, so that a debugger stops at a line as often as the source
// executes it.
static CallInst *createOnce(IRBuilderBase &builder, DebugMarker marker, ArrayRef<Value *> arguments,
                            MemoryEffects effects) {
  CallInst *call = create(builder, marker, arguments, effects);
  call->addFnAttr(Attribute::NoDuplicate);
  call->addFnAttr(Attribute::NoMerge);
  return call;
}

CallInst *createStatement(IRBuilderBase &builder, unsigned number, bool writes) {
  const MemoryEffects effects =
      writes ? MemoryEffects::unknown() : MemoryEffects::readOnly() | MemoryEffects::inaccessibleMemOnly();
  return createOnce(builder, DebugMarker::Statement, {builder.getInt32(number)}, effects);
}

CallInst *createLanesStatement(IRBuilderBase &builder, Value *frame, const CallBase &statement) {
  return createOnce(builder, DebugMarker::LanesStatement, {frame, statement.getArgOperand(0)},
                    statement.getMemoryEffects());
}

// Attaches the description to the call and keeps LLVM from merging it with an equal call: that one may describe another
// variable, of another inlined function or of another copy of the same function.
static CallInst *describe(CallInst *marker, MDNode *description) {
  assert(description != nullptr && "whoever finds the marker reads its description");
  marker->addFnAttr(Attribute::NoMerge);
  marker->setMetadata(kVariable, description);
  return marker;
}

CallInst *createVariable(IRBuilderBase &builder, Value *address, MDNode *description) {
  Value *plain = builder.CreateAddrSpaceCast(address, builder.getPtrTy());
  return describe(create(builder, DebugMarker::Variable, {plain}, MemoryEffects::inaccessibleMemOnly()), description);
}

CallInst *createLanesVariable(IRBuilderBase &builder, Value *frame, MDNode *description) {
  return describe(create(builder, DebugMarker::LanesVariable, {frame}, MemoryEffects::inaccessibleMemOnly()),
                  description);
}

CallInst *createBegin(IRBuilderBase &builder, Value *frame) {
  return createOnce(builder, DebugMarker::Begin, {frame}, MemoryEffects::unknown());
}

MDNode *variableDescription(const Instruction &marker) {
  return marker.getMetadata(kVariable);
}

} // namespace lanecl::vectorizer
