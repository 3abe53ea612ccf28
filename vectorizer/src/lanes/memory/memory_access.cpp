// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/memory/memory_access.h"

#include "lanes/cross_lane/votes.h"
#include "lanes/lane_loop.h"
#include "lanes/loop.h"

#include "llvm/Analysis/VectorUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Returns whether there is a masked access instruction for elements of this size.
bool hasMaskedAccess(const LaneContext &c, int64_t bits) {
  return c.target.level == IsaLevel::Avx512 || (c.target.level == IsaLevel::Avx2 && bits >= 32);
}

const DataLayout &layoutOf(const LaneContext &c) {
  return c.b.GetInsertBlock()->getDataLayout();
}

int64_t sizeOf(const LaneContext &c, Type *element) {
  return int64_t(layoutOf(c).getTypeStoreSize(element));
}

// Returns the type to access memory with: i16 for half and bfloat, because LLVM has masked accesses of these types only
// if the processor computes with them.
FixedVectorType *memoryType(const LaneContext &c, FixedVectorType *type) {
  Type *element = type->getElementType();
  if (!element->isHalfTy() && !element->isBFloatTy())
    return type;
  return FixedVectorType::get(c.b.getInt16Ty(), type->getNumElements());
}

// The blocks of an access that tests at run time whether all lanes are active.
struct Diamond {
  BasicBlock *full, *partial, *done;
};

// Branches on whether all lanes are active and leaves the builder in `full`.
Diamond openDiamond(const LaneContext &c, Value *lane_mask) {
  IRBuilderBase &b = c.b;
  Value *all = emitAll(c, lane_mask);
  BasicBlock *done = splitForContinuation(b, "access.done");
  Function *function = done->getParent();
  BasicBlock *full = BasicBlock::Create(b.getContext(), "access.full", function, done);
  BasicBlock *partial = BasicBlock::Create(b.getContext(), "access.partial", function, done);
  b.CreateCondBr(all, full, partial);
  b.SetInsertPoint(full);
  return {full, partial, done};
}

void closeDiamond(const LaneContext &c, const Diamond &diamond) {
  c.b.CreateBr(diamond.done);
  const DebugLoc location = c.b.getCurrentDebugLocation();
  c.b.SetInsertPoint(diamond.done, diamond.done->begin()); // changes the builder's source location
  c.b.SetCurrentDebugLocation(location);
}

// Copies the active lanes' elements one by one in a loop, which is short code for the rare partial sub-groups.
void copyActive(const LaneContext &c, Type *element, Value *from, Value *to, Align from_align, Align to_align,
                Value *lane_mask, const Footprint &footprint) {
  emitLaneLoop(c, lane_mask, [&](IRBuilderBase &b, Value *lane) {
    Value *first = b.CreateZExt(b.CreateMul(lane, b.getInt32(footprint.lane_step)), b.getInt64Ty());
    for (unsigned k = 0; k < footprint.components; ++k) {
      Value *index = b.CreateAdd(first, b.getInt64(uint64_t(k) * footprint.component_step));
      Value *v = b.CreateAlignedLoad(element, b.CreateGEP(element, from, index), from_align);
      b.CreateAlignedStore(v, b.CreateGEP(element, to, index), to_align);
    }
  });
}

Align elementAlign(const LaneContext &c, Type *element, Align align) {
  return commonAlignment(align, uint64_t(sizeOf(c, element)));
}

// Loads everything from the first lane's first element to the last lane's last element. Elements of `type` past that
// one are not accessed. If there are any, a first load gets all but the last W elements of `type`, and a second load
// gets the W elements that end with the last lane's element; the overlap is dropped.
Value *loadWhole(const LaneContext &c, FixedVectorType *type, Value *ptr, const Footprint &footprint, Align align) {
  const unsigned count = type->getNumElements(), head = count - c.width;
  const unsigned end = (c.width - 1) * footprint.lane_step + (footprint.components - 1) * footprint.component_step + 1;
  assert(end <= count && end >= c.width && "the elements of all lanes are in the vector");
  if (end == count)
    return c.b.CreateAlignedLoad(type, ptr, align);
  Type *element = type->getElementType();
  const int64_t tail = end - c.width;
  Value *first = c.b.CreateAlignedLoad(FixedVectorType::get(element, head), ptr, align);
  Value *last =
      c.b.CreateAlignedLoad(c.vectorOf(element), advance(c, element, ptr, tail), alignmentAt(c, element, align, tail));
  const unsigned missing = count - end;
  last = c.b.CreateShuffleVector(last, createSequentialMask(missing, c.width - missing, missing));
  return concatenateVectors(c.b, {first, last});
}

// Loads the active lanes' elements through a copy on the stack, which holds `other` for the inactive lanes.
Value *loadPartial(const LaneContext &c, FixedVectorType *type, Value *ptr, Value *lane_mask,
                   const Footprint &footprint, Align align, Value *other) {
  Type *element = type->getElementType();
  AllocaInst *memory = temporaryOf(c, type);
  const Align plain = elementAlign(c, element, memory->getAlign());
  c.b.CreateLifetimeStart(memory);
  c.b.CreateStore(other, memory);
  copyActive(c, element, ptr, memory, elementAlign(c, element, align), plain, lane_mask, footprint);
  Value *v = c.b.CreateLoad(type, memory);
  c.b.CreateLifetimeEnd(memory);
  return v;
}

// Stores the active lanes' elements from a copy of the vector on the stack.
void storePartial(const LaneContext &c, Value *v, Value *ptr, Value *lane_mask, const Footprint &footprint,
                  Align align) {
  Type *element = v->getType()->getScalarType();
  AllocaInst *memory = temporaryOf(c, cast<FixedVectorType>(v->getType()));
  const Align plain = elementAlign(c, element, memory->getAlign());
  c.b.CreateLifetimeStart(memory);
  c.b.CreateStore(v, memory);
  copyActive(c, element, memory, ptr, plain, elementAlign(c, element, align), lane_mask, footprint);
  c.b.CreateLifetimeEnd(memory);
}

} // namespace

Value *loadMasked(const LaneContext &c, FixedVectorType *type, Value *ptr, Value *mask, Value *lane_mask,
                  const Footprint &footprint, Align align, Value *passthrough) {
  assert(isMask(c, lane_mask) && !ptr->getType()->isVectorTy() && "one address, and a bit for each lane");
  assert((passthrough == nullptr || passthrough->getType() == type) && "what inactive lanes get is of the loaded type");
  if (isFullMask(lane_mask))
    return loadWhole(c, type, ptr, footprint, align);
  assert(cast<FixedVectorType>(mask->getType())->getElementCount() == type->getElementCount() &&
         "a bit for each element");
  FixedVectorType *stored = memoryType(c, type);
  Value *other = passthrough ? c.b.CreateBitCast(passthrough, stored) : Constant::getNullValue(stored);
  // The freeze keeps InstCombine from folding a select by the same mask into the load. InstCombine would also move the
  // load down to the select, even past stores to the same memory.
  if (hasMaskedAccess(c, sizeOf(c, type->getElementType()) * 8))
    return c.b.CreateBitCast(c.b.CreateFreeze(c.b.CreateMaskedLoad(stored, ptr, align, mask, other)), type);

  const Diamond diamond = openDiamond(c, lane_mask);
  Value *whole = loadWhole(c, stored, ptr, footprint, align);
  c.b.CreateBr(diamond.done);
  c.b.SetInsertPoint(diamond.partial);
  Value *parts = loadPartial(c, stored, ptr, lane_mask, footprint, align, other);
  BasicBlock *partial_end = c.b.GetInsertBlock();
  closeDiamond(c, diamond);
  PHINode *result = c.b.CreatePHI(stored, 2);
  result->addIncoming(whole, diamond.full);
  result->addIncoming(parts, partial_end);
  return c.b.CreateBitCast(result, type);
}

void storeMasked(const LaneContext &c, Value *v, Value *ptr, Value *mask, Value *lane_mask, const Footprint &footprint,
                 Align align) {
  assert(isMask(c, lane_mask) && !ptr->getType()->isVectorTy() && "one address, and a bit for each lane");
  if (isFullMask(mask)) {
    c.b.CreateAlignedStore(v, ptr, align);
    return;
  }
  assert(lane_mask != nullptr && "a mask of elements comes from one of lanes");
  auto *type = memoryType(c, cast<FixedVectorType>(v->getType()));
  v = c.b.CreateBitCast(v, type);
  assert(cast<FixedVectorType>(mask->getType())->getElementCount() == type->getElementCount() &&
         "a bit for each element");
  const bool has_masked_store = hasMaskedAccess(c, sizeOf(c, type->getElementType()) * 8);
  // On AMD's processors AVX2's masked stores are microcode, and most masks are full: test for that first.
  if (has_masked_store && c.target.level != IsaLevel::Avx2) {
    c.b.CreateMaskedStore(v, ptr, align, mask);
    return;
  }
  const Diamond diamond = openDiamond(c, lane_mask);
  c.b.CreateAlignedStore(v, ptr, align);
  c.b.CreateBr(diamond.done);
  c.b.SetInsertPoint(diamond.partial);
  if (has_masked_store)
    c.b.CreateMaskedStore(v, ptr, align, mask);
  else
    storePartial(c, v, ptr, lane_mask, footprint, align);
  closeDiamond(c, diamond);
}

Value *advance(const LaneContext &c, Type *element, Value *ptr, int64_t elements) {
  if (elements == 0)
    return ptr;
  return c.b.CreatePtrAdd(ptr, c.b.getInt64(uint64_t(elements * sizeOf(c, element))));
}

Align alignmentAt(const LaneContext &c, Type *element, Align align, int64_t elements) {
  return commonAlignment(align, uint64_t(std::abs(elements) * sizeOf(c, element)));
}

} // namespace lanecl::vectorizer::lanes
