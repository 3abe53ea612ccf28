// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/memory/effects.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

const Value *addressOf(const Instruction &access) {
  if (const auto *update = dyn_cast<AtomicRMWInst>(&access))
    return update->getPointerOperand();
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access))
    return exchange->getPointerOperand();
  return getLoadStorePointerOperand(&access);
}

// Returns the address that a block or row primitive accesses, which is its first argument, or null for other calls.
static const Value *addressOfCall(const Instruction &call, Primitive of_block, Primitive of_row) {
  return isPrimitive(call, of_block) || isPrimitive(call, of_row) ? cast<CallBase>(call).getArgOperand(0) : nullptr;
}

const Value *addressReadBy(const Instruction &instruction) {
  if (const auto *copy = dyn_cast<AnyMemTransferInst>(&instruction))
    return copy->getRawSource();
  if (isa<CallBase>(instruction))
    return addressOfCall(instruction, Primitive::BlockRead, Primitive::RowRead);
  return isa<StoreInst>(instruction) ? nullptr : addressOf(instruction);
}

const Value *addressWrittenBy(const Instruction &instruction) {
  if (const auto *fill = dyn_cast<AnyMemIntrinsic>(&instruction))
    return fill->getRawDest();
  if (isa<CallBase>(instruction))
    return addressOfCall(instruction, Primitive::BlockWrite, Primitive::RowWrite);
  return isa<LoadInst>(instruction) ? nullptr : addressOf(instruction);
}

bool isShared(const Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space != kPrivate && space != kConstant && !isa<AllocaInst>(getUnderlyingObject(&pointer));
}

bool readsOthers(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return (load->isAtomic() || load->isVolatile()) && isShared(*load->getPointerOperand());
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction) && isShared(*addressOf(instruction));
}

bool ordersGlobalMemory(const Instruction &instruction) {
  constexpr uint64_t kLocalMemory = 1; // CLK_LOCAL_MEM_FENCE
  if (!isPrimitive(instruction, Primitive::WorkGroupBarrier) && !isPrimitive(instruction, Primitive::SubGroupBarrier))
    return isa<FenceInst>(instruction);
  const auto *flags = dyn_cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(0));
  return flags == nullptr || (flags->getZExtValue() & ~kLocalMemory) != 0;
}

static bool hasEffect(Primitive primitive) {
  switch (primitive) {
  case Primitive::BlockWrite:
  case Primitive::RowWrite:
  case Primitive::WorkGroupBarrier:
  case Primitive::SubGroupBarrier:
  case Primitive::Printf: return true;
  default: return false;
  }
}

static bool callHasEffect(const CallBase &call) {
  if (const std::optional<Primitive> primitive = primitiveOf(call))
    return hasEffect(*primitive);
  if (const auto *copy = dyn_cast<AnyMemIntrinsic>(&call))
    return isShared(*copy->getRawDest());
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (markerOf(call) || (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic()))
    return false;
  const Function *callee = call.getCalledFunction();
  return (callee == nullptr || callee->isDeclaration() || isKept(*callee)) && call.mayWriteToMemory() &&
         !call.onlyAccessesInaccessibleMemory();
}

bool hasEffect(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return callHasEffect(*call);
  if (isa<StoreInst>(instruction))
    return isShared(*addressOf(instruction));
  return isa<FenceInst>(instruction) || readsOthers(instruction);
}

} // namespace lanecl::vectorizer
