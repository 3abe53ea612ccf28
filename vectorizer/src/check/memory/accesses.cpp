// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/accesses.h"

#include "analysis/functions/primitives.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

class Finder {
public:
  Finder(Function &function, unsigned width)
      : layout(function.getDataLayout()), i64(Type::getInt64Ty(function.getContext())), width(width) {}

  void find(Instruction &instruction);
  SmallVector<Access> accesses;

private:
  void add(Instruction &instruction, Value *pointer, Value *bytes, bool writes) {
    // Loads of what launches keep for themselves are invariant. They are not accesses of the program.
    if (instruction.getDebugLoc() && !instruction.hasMetadata(LLVMContext::MD_invariant_load))
      accesses.push_back({&instruction, pointer, bytes, writes});
  }
  void add(Instruction &instruction, Value *pointer, Type *type, bool writes) {
    add(instruction, pointer, ConstantInt::get(i64, layout.getTypeStoreSize(type).getFixedValue()), writes);
  }
  void findBlock(CallBase &call, bool writes);
  void findRow(CallBase &call, bool writes);

  const DataLayout &layout;
  Type *const i64;
  const unsigned width;
};

// A block access: component k of lane l is the element at l + k * W. All lanes together access width * size bytes, so
// each lane counts as accessing all of them.
void Finder::findBlock(CallBase &call, bool writes) {
  Type *data = writes ? call.getArgOperand(1)->getType() : call.getType();
  add(call, call.getArgOperand(0), ConstantInt::get(i64, width * layout.getTypeStoreSize(data).getFixedValue()),
      writes);
}

// A row access: the lanes from `first` to `end` access one element each, starting at the pointer.
void Finder::findRow(CallBase &call, bool writes) {
  IRBuilder<> b(&call);
  Type *element = writes ? call.getArgOperand(3)->getType() : call.getType();
  Value *lanes = b.CreateZExt(b.CreateSub(call.getArgOperand(2), call.getArgOperand(1)), i64);
  add(call, call.getArgOperand(0), b.CreateMul(lanes, b.getInt64(layout.getTypeStoreSize(element).getFixedValue())),
      writes);
}

void Finder::find(Instruction &instruction) {
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
  } else if (isPrimitive(instruction, Primitive::RowRead) || isPrimitive(instruction, Primitive::RowWrite)) {
    findRow(cast<CallBase>(instruction), isPrimitive(instruction, Primitive::RowWrite));
  }
}

} // namespace

SmallVector<Access> findAccesses(Function &function, unsigned width) {
  Finder finder(function, width);
  for (Instruction &instruction : instructions(function))
    finder.find(instruction);
  return std::move(finder.accesses);
}

// A pointer that a loop steps through memory is a phi. It belongs to the object of the pointer before the loop, which
// getUnderlyingObjects() finds with LoopInfo.
Value *objectOf(Value *pointer, LoopInfo &loops) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, &loops, /*MaxLookup=*/0);
  return objects.size() == 1 ? const_cast<Value *>(objects[0]) : getUnderlyingObject(pointer, /*MaxLookup=*/0);
}

Value *createIsOutside(IRBuilderBase &b, const Access &access, Value *offset, Value *size) {
  Type *i64 = b.getInt64Ty();
  Value *bytes = b.CreateZExtOrTrunc(access.bytes, i64);
  // The limit is the first offset at which the access does not fit any more: size - bytes + 1, or 0 if the access is
  // larger than the memory.
  const auto *known_size = dyn_cast<ConstantInt>(size), *known_bytes = dyn_cast<ConstantInt>(bytes);
  if (known_size && known_bytes && !known_bytes->isZero()) {
    const uint64_t have = known_size->getZExtValue(), need = known_bytes->getZExtValue();
    return b.CreateICmpUGE(offset, b.getInt64(have < need ? 0 : have - need + 1));
  }
  Value *room = b.CreateIntrinsic(Intrinsic::usub_sat, {i64}, {size, b.CreateSub(bytes, b.getInt64(1))});
  Value *outside = b.CreateICmpUGE(offset, room);
  if (!known_bytes) // an access of no bytes is never outside
    outside = b.CreateAnd(outside, b.CreateICmpNE(bytes, b.getInt64(0)));
  return outside;
}

} // namespace lanecl::vectorizer
