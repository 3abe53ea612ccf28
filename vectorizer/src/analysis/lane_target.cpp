// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/lane_target.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"

#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Whether all work-items see the same memory through a pointer to `object`. A `byval` argument of a kernel is shared as
// long as no work-item writes to it.
static bool isSharedObject(const Value &object) {
  if (const auto *argument = dyn_cast<Argument>(&object))
    if (argument->hasByValAttr())
      return argument->onlyReadsMemory();
  if (isa<GlobalValue>(object))
    return true;
  const unsigned space = object.getType()->getPointerAddressSpace();
  return space != kPrivate && space != kGeneric;
}

bool mayPointToPrivate(const Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space != kPrivate && space != kGeneric)
    return false;
  SmallVector<const Value *> objects;
  getUnderlyingObjects(&pointer, objects);
  return !all_of(objects, [](const Value *object) { return isSharedObject(*object); });
}

// Returns whether the result of a call is always uniform, never uniform, or uniform if its operands are (Default).
static InstructionUniformity uniformityOfCall(const CallBase &call) {
  if (std::optional<Primitive> primitive = primitiveOf(call))
    return hasUniformResult(*primitive) ? InstructionUniformity::AlwaysUniform : InstructionUniformity::NeverUniform;
  if (std::optional<Marker> marker = markerOf(call))
    return *marker == Marker::EntryMask ? InstructionUniformity::NeverUniform : InstructionUniformity::AlwaysUniform;
  if (const Function *callee = keptCallee(call))
    return hasSameResult(*callee) ? InstructionUniformity::Default : InstructionUniformity::NeverUniform;
  const bool pure = call.doesNotAccessMemory() && !call.isConvergent() && !call.isInlineAsm();
  return pure ? InstructionUniformity::Default : InstructionUniformity::NeverUniform;
}

namespace {

// Answers the questions of LLVM's uniformity and address-space analyses for a sub-group of lanes.
class LaneTarget final : public TargetTransformInfoImplCRTPBase<LaneTarget> {
  using Base = TargetTransformInfoImplCRTPBase<LaneTarget>;

public:
  LaneTarget(const DataLayout &layout, bool one_lane) : Base(layout), one_lane(one_lane) {}

  bool hasBranchDivergence(const Function *) const override { return !one_lane; }

  InstructionUniformity getInstructionUniformity(const Value *value) const override {
    if (const auto *argument = dyn_cast<Argument>(value))
      return isVarying(*argument) ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
    if (const auto *load = dyn_cast<LoadInst>(value))
      return mayPointToPrivate(*load->getPointerOperand()) ? InstructionUniformity::NeverUniform
                                                           : InstructionUniformity::Default;
    // Each lane has a private variable of its own, at an address of its own.
    if (const auto *address = dyn_cast<PtrToIntInst>(value))
      return mayPointToPrivate(*address->getPointerOperand()) ? InstructionUniformity::NeverUniform
                                                              : InstructionUniformity::Default;
    // Each lane performs an operation of its own on the memory and gets a result of its own.
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(value))
      return InstructionUniformity::NeverUniform;
    if (const auto *call = dyn_cast<CallBase>(value))
      return uniformityOfCall(*call);
    return InstructionUniformity::Default;
  }

  unsigned getFlatAddressSpace() const override { return kGeneric; }
  bool isNoopAddrSpaceCast(unsigned, unsigned) const override { return true; }
  bool isValidAddrSpaceCast(unsigned from, unsigned to) const override { return from == kGeneric || to == kGeneric; }

private:
  bool one_lane;
};

} // namespace

TargetIRAnalysis laneTargetAnalysis(bool one_lane) {
  return TargetIRAnalysis([one_lane](const Function &function) {
    return TargetTransformInfo(std::make_unique<LaneTarget>(function.getDataLayout(), one_lane));
  });
}

} // namespace lanecl::vectorizer
