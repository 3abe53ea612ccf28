// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_accesses.h"

#include "analysis/lane_target.h"
#include "analysis/primitives.h"
#include "check/check_calls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using abi::CheckRule;

struct Access {
  Instruction *instruction;
  Value *pointer;
  Value *bytes; // i64
  bool writes;
};

class AccessChecks {
public:
  AccessChecks(Function &function, unsigned width)
      : function(function), layout(function.getDataLayout()), width(width) {}

  bool run();

private:
  // Where the memory of a pointer begins and how long it is; both i64.
  struct Bounds {
    Value *begin, *bytes;
  };

  void find(Instruction &instruction);
  void add(Instruction &instruction, Value *pointer, Value *bytes, bool writes);
  void add(Instruction &instruction, Value *pointer, Type *type, bool writes) {
    add(instruction, pointer, number(layout.getTypeStoreSize(type).getFixedValue()), writes);
  }
  void findBlock(CallBase &call, bool writes);
  Value *number(uint64_t value) const { return ConstantInt::get(Type::getInt64Ty(function.getContext()), value); }
  Bounds boundsOf(Value *object);
  void check(const Access &access);

  Function &function;
  const DataLayout &layout;
  const unsigned width;
  SmallVector<Access> accesses;
  MapVector<Value *, Bounds> bounds; // by the object that a pointer is computed from
};

// The memory that a program sees, but not what launches keep there of themselves: that is in no address space.
void AccessChecks::add(Instruction &instruction, Value *pointer, Value *bytes, bool writes) {
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  if (!instruction.getDebugLoc() || instruction.hasMetadata(LLVMContext::MD_invariant_load))
    return;
  Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  const unsigned its_space = object->getType()->getPointerAddressSpace();
  const auto is_checked = [](unsigned number) { return number == kGlobal || number == kConstant; };
  if (is_checked(space) && is_checked(its_space) && !isa<Constant>(object))
    accesses.push_back({&instruction, pointer, bytes, writes});
}

// Component k of lane l is element l + k * W: one access of all lanes, made by each of them here.
void AccessChecks::findBlock(CallBase &call, bool writes) {
  Type *data = writes ? call.getArgOperand(1)->getType() : call.getType();
  add(call, call.getArgOperand(0), number(width * layout.getTypeStoreSize(data).getFixedValue()), writes);
}

void AccessChecks::find(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    add(*load, load->getPointerOperand(), load->getType(), false);
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    add(*store, store->getPointerOperand(), store->getValueOperand()->getType(), true);
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    add(*update, update->getPointerOperand(), update->getType(), true);
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    add(*exchange, exchange->getPointerOperand(), exchange->getCompareOperand()->getType(), true);
  } else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
    add(*copy, copy->getSource(), copy->getLength(), false);
    add(*copy, copy->getDest(), copy->getLength(), true);
  } else if (auto *set = dyn_cast<MemSetInst>(&instruction)) {
    add(*set, set->getDest(), set->getLength(), true);
  } else if (isPrimitive(instruction, Primitive::BlockRead) || isPrimitive(instruction, Primitive::BlockWrite)) {
    findBlock(cast<CallBase>(instruction), isPrimitive(instruction, Primitive::BlockWrite));
  }
}

// Computed where the pointer is: of an argument once for all work-groups of a row.
AccessChecks::Bounds AccessChecks::boundsOf(Value *object) {
  if (const auto known = bounds.find(object); known != bounds.end())
    return known->second;
  BasicBlock::iterator place = function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (auto *instruction = dyn_cast<Instruction>(object))
    place = *instruction->getInsertionPointAfterDef();
  IRBuilder<> b(place->getParent(), place);
  Value *begin = createMemoryBegin(b, object);
  const Bounds made{begin, b.CreateSub(createMemoryEnd(b, object), begin)};
  bounds.insert({object, made});
  return made;
}

void AccessChecks::check(const Access &access) {
  const Bounds memory = boundsOf(getUnderlyingObject(access.pointer, /*MaxLookup=*/0));
  IRBuilder<> b(access.instruction);
  Type *i64 = b.getInt64Ty();
  Value *bytes = b.CreateZExtOrTrunc(access.bytes, i64);
  Value *address = b.CreatePtrToInt(access.pointer, i64);
  // The first byte that may begin such an access, counted from the end, is the limit: none where there is no room.
  Value *room = b.CreateIntrinsic(Intrinsic::usub_sat, {i64}, {memory.bytes, b.CreateSub(bytes, number(1))});
  Value *outside = b.CreateICmpUGE(b.CreateSub(address, memory.begin), room);
  if (!isa<ConstantInt>(bytes)) // an access of nothing
    outside = b.CreateAnd(outside, b.CreateICmpNE(bytes, number(0)));
  reportIf(outside, *access.instruction, access.writes ? CheckRule::WriteOutOfBounds : CheckRule::ReadOutOfBounds,
           access.writes ? "write" : "read", address, bytes);
}

bool AccessChecks::run() {
  for (Instruction &instruction : instructions(function))
    find(instruction);
  for (const Access &access : accesses)
    check(access);
  return !accesses.empty();
}

} // namespace

PreservedAnalyses CheckAccessesPass::run(Function &function, FunctionAnalysisManager &) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  return AccessChecks(function, context.launch.width).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses PlaceReportsPass::run(Function &function, FunctionAnalysisManager &) {
  return placeReports(function) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
