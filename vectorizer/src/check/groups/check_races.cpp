// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/groups/check_races.h"

#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "check/groups/exchange_orders.h"
#include "check/memory/accesses.h"
#include "vectorizer/check.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/AtomicOrdering.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cassert>
#include <optional>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Whether an instruction orders the accesses of other work-items, too. Compare-exchanges are handled by tellOrders().
bool synchronizes(const Instruction &instruction) {
  if (isa<FenceInst>(instruction))
    return true;
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return isAcquireOrStronger(load->getOrdering());
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return isReleaseOrStronger(store->getOrdering());
  if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return isAcquireOrStronger(update->getOrdering()) || isReleaseOrStronger(update->getOrdering());
  return false;
}

// Records the order of a compare-exchange, after it, because the outcome decides which of its two orders applies.
void tellOrders(AtomicCmpXchgInst &exchange, ExchangeOrders orders) {
  if (!orders.success && !orders.failure)
    return;
  Instruction *next = exchange.getNextNode();
  if (orders.success && orders.failure)
    return recordFence(*next);
  IRBuilder<> b(next);
  Value *has_written = b.CreateExtractValue(&exchange, 1);
  Value *has_order = orders.success ? has_written : b.CreateNot(has_written);
  Instruction *end = SplitBlockAndInsertIfThen(has_order, next->getIterator(), /*Unreachable=*/false);
  recordFence(*end);
}

// Returns the bits that a store writes, as an i64; null if there are more than 64 or the value is not a number.
Value *valueOf(IRBuilderBase &b, const Access &access) {
  auto *store = dyn_cast<StoreInst>(access.instruction);
  Value *value = store ? store->getValueOperand() : nullptr;
  if (!value || (!value->getType()->isIntegerTy() && !value->getType()->isFloatingPointTy()) ||
      value->getType()->getPrimitiveSizeInBits() > 64)
    return nullptr;
  Type *bits = b.getIntNTy(static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits()));
  return b.CreateZExt(b.CreateBitCast(value, bits), b.getInt64Ty());
}

// The memory of an access, with its name if the program has one for it.
struct Place {
  bool is_local;
  NamedMemory memory;
  Value *object = nullptr; // ArgumentMemory::object, if the memory was passed to a kept function
};

void tell(IRBuilderBase &b, const Access &access, Value *pointer, Value *bytes, Value *value, const Place &place,
          uint32_t kind = 0) {
  kind |= place.is_local ? abi::kLocalAccess : 0;
  kind |= access.writes ? abi::kWriteAccess : 0;
  kind |= access.instruction->isAtomic() ? abi::kAtomicAccess : 0;
  kind |= access.instruction->isVolatile() ? abi::kVolatileAccess : 0;
  kind |= value ? abi::kKnownValue : 0;
  recordAccess(b, *access.instruction, pointer, b.CreateZExtOrTrunc(bytes, b.getInt64Ty()), kind,
               value ? value : b.getInt64(0), place.memory, place.object);
}

// Records a compare-exchange, after it: one that fails has written nothing.
void tellExchange(const Access &access, AtomicCmpXchgInst &exchange, const Place &place) {
  IRBuilder<> b(exchange.getNextNode());
  b.SetCurrentDebugLocation(exchange.getDebugLoc());
  Value *has_written = b.CreateZExt(b.CreateExtractValue(&exchange, 1), b.getInt64Ty());
  tell(b, access, access.pointer, access.bytes, has_written, place, abi::kConditionalWrite);
}

// Records a block access: component k of lane l is the element at l + k * W.
void tellBlock(const Access &access, unsigned width, const Place &place) {
  auto &call = cast<CallBase>(*access.instruction);
  IRBuilder<> b(&call);
  Type *data = access.writes ? call.getArgOperand(1)->getType() : call.getType();
  const auto *vector = dyn_cast<FixedVectorType>(data);
  const uint64_t bytes = data->getScalarSizeInBits() / 8;
  assert(bytes != 0 && "a block consists of numbers");
  Value *lane = b.CreateZExt(createLaneId(b), b.getInt64Ty());
  for (uint64_t component = 0; component < (vector ? vector->getNumElements() : 1); ++component) {
    Value *element = b.CreateAdd(lane, b.getInt64(component * width));
    tell(b, access, b.CreatePtrAdd(access.pointer, b.CreateMul(element, b.getInt64(bytes))), b.getInt64(bytes), nullptr,
         place);
  }
}

void tell(const Access &access, unsigned width, Reach reach) {
  const Value &object = *getUnderlyingObject(access.pointer, /*MaxLookup=*/0);
  const std::optional<NamedMemory> mark = marked(object);
  const std::optional<ArgumentMemory> passed = argumentMemory(object);
  if (mark && mark->kind == abi::CheckMemory::Unknown)
    return; // the built-in library accesses its own memory correctly
  // Memory that may be private is not recorded: the work-items have theirs at the same addresses, one after the other.
  const unsigned own_space = access.pointer->getType()->getPointerAddressSpace();
  const unsigned space = own_space == kGeneric ? object.getType()->getPointerAddressSpace() : own_space;
  if (space != kLocal && (space != kGlobal || reach != Reach::Everything))
    return;
  const Place place{
      .is_local = space == kLocal, .memory = mark.value_or(NamedMemory()), .object = passed ? passed->object : nullptr};
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(access.instruction))
    return tellExchange(access, *exchange, place);
  if (isPrimitive(*access.instruction, Primitive::BlockRead) || isPrimitive(*access.instruction, Primitive::BlockWrite))
    return tellBlock(access, width, place);
  if (isPrimitive(*access.instruction, Primitive::RowRead) || isPrimitive(*access.instruction, Primitive::RowWrite))
    return; // the run time is not told which lane accesses which element
  IRBuilder<> b(access.instruction);
  Value *value = valueOf(b, access);
  tell(b, access, access.pointer, access.bytes, value, place);
}

} // namespace

PreservedAnalyses CheckRacesPass::run(Function &function, FunctionAnalysisManager &) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  const SmallVector<Access> accesses = findAccesses(function, 1);
  SmallVector<Instruction *> order, barriers;
  for (Instruction &instruction : instructions(function)) {
    if (synchronizes(instruction))
      order.push_back(&instruction);
    if (isPrimitive(instruction, Primitive::WorkGroupBarrier) || isPrimitive(instruction, Primitive::SubGroupBarrier))
      barriers.push_back(&instruction);
  }
  const auto exchanges = takeExchangeOrders(function);
  for (const auto &[exchange, orders] : exchanges)
    tellOrders(*exchange, orders);
  const Reach reach = context.checks ? context.checks->races : Reach::Everything; // null: only in tests of the pass
  for (const Access &access : accesses)
    tell(access, context.launch.width, reach);
  for (Instruction *instruction : order)
    recordFence(*instruction);
  for (Instruction *barrier : barriers)
    recordBarrier(*barrier, isPrimitive(*barrier, Primitive::WorkGroupBarrier),
                  cast<CallBase>(barrier)->getArgOperand(0));
  const bool is_unchanged = accesses.empty() && order.empty() && barriers.empty() && exchanges.empty();
  return is_unchanged ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
