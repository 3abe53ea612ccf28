// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers and scatters, and the splitting and joining of wide elements that are gathered as one (see memory.h).

#include "lanes/memory/memory.h"
#include "lanes/memory/narrow_gather.h"
#include "lanes/memory/x86_gather.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Returns whether a gather is one scalar load per lane. Gather instructions exist for 32 and 64 bits only. Unaligned
// words, and the wide integers that the scalar optimizer makes of whole arrays, have none. Neither has SSE4.2, and on
// some processors AVX2's gathers are slower than scalar loads.
bool gathersLaneByLane(const LaneContext &c, Type *element) {
  const uint64_t bits = c.b.GetInsertBlock()->getModule()->getDataLayout().getTypeSizeInBits(element);
  return c.target.level == IsaLevel::Sse42 || (c.target.level == IsaLevel::Avx2 && !c.target.fast_gather) ||
         (bits != 32 && bits != 64);
}

// Returns the address of `size` readable bytes of zeros, in all lanes. Inactive lanes load from there, so loading lane
// by lane needs no branches.
Value *addressOfZeros(const LaneContext &c, Type *pointer, uint64_t size) {
  constexpr StringRef name = "lanecl.zeros";
  Module &module = *c.b.GetInsertBlock()->getModule();
  GlobalVariable *bytes = module.getGlobalVariable(name, true);
  if (!bytes || module.getDataLayout().getTypeAllocSize(bytes->getValueType()) < size) {
    GlobalVariable *shorter = bytes;
    Type *type = ArrayType::get(c.b.getInt64Ty(), divideCeil(size, sizeof(uint64_t)));
    bytes = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, Constant::getNullValue(type), name);
    bytes->setAlignment(Align(64));
    if (shorter) {
      bytes->takeName(shorter);
      shorter->replaceAllUsesWith(bytes);
      shorter->eraseFromParent();
    }
  }
  return c.b.CreateVectorSplat(c.width, ConstantExpr::getPointerBitCastOrAddrSpaceCast(bytes, pointer));
}

// Gathers by one scalar load per lane; inactive lanes load zeros.
Value *gatherLaneByLane(const LaneContext &c, Type *element, Value *pointers, Value *mask, Align align,
                        Value *passthrough) {
  const uint64_t bytes = c.b.GetInsertBlock()->getDataLayout().getTypeStoreSize(element);
  if (!isFullMask(mask))
    pointers = c.b.CreateSelect(mask, pointers, addressOfZeros(c, pointers->getType()->getScalarType(), bytes));
  Value *v = PoisonValue::get(c.vectorOf(element));
  for (uint64_t lane = 0; lane < c.width; ++lane) {
    Value *loaded = c.b.CreateAlignedLoad(element, c.b.CreateExtractElement(pointers, lane), align);
    v = c.b.CreateInsertElement(v, loaded, lane);
  }
  // Without a passthrough, inactive lanes keep the zeros that they loaded.
  return passthrough && !isFullMask(mask) ? c.b.CreateSelect(mask, v, passthrough) : v;
}

// Gathers with scalar addresses, for full masks only: each load instruction adds base and offset itself.
Value *gatherEachOffset(const LaneContext &c, Type *element, Value *base, Value *offset, unsigned scale, Align align) {
  Value *v = PoisonValue::get(c.vectorOf(element));
  for (uint64_t lane = 0; lane < c.width; ++lane) {
    Value *address = c.b.CreateGEP(c.b.getIntNTy(scale * 8), base, c.b.CreateExtractElement(offset, lane));
    v = c.b.CreateInsertElement(v, c.b.CreateAlignedLoad(element, address, align), lane);
  }
  return v;
}

// Whether `scale` is one that addresses can be computed with: the size of a type.
[[maybe_unused]] bool isScale(const LaneContext &c, unsigned scale) {
  return scale != 0 && c.b.GetInsertBlock()->getDataLayout().getTypeAllocSize(c.b.getIntNTy(scale * 8)) == scale;
}

// Returns whether a scatter is one scalar store per lane. Scatter instructions exist with AVX-512 for 32 and 64 bits.
bool scattersLaneByLane(const LaneContext &c, Type *element) {
  const uint64_t bits = c.b.GetInsertBlock()->getDataLayout().getTypeSizeInBits(element);
  return c.target.level != IsaLevel::Avx512 || (bits != 32 && bits != 64);
}

// Stores lane by lane. Inactive lanes store to a stack variable that is never read, so no branches are needed.
void scatterLaneByLane(const LaneContext &c, Value *v, Value *pointers, Value *mask, Align align) {
  AllocaInst *nowhere = nullptr;
  if (!isFullMask(mask)) {
    nowhere = temporaryOf(c, v->getType()->getScalarType());
    nowhere->setAlignment(std::max(nowhere->getAlign(), align));
    c.b.CreateLifetimeStart(nowhere);
    Value *place = c.b.CreateAddrSpaceCast(nowhere, pointers->getType()->getScalarType());
    pointers = c.b.CreateSelect(mask, pointers, c.b.CreateVectorSplat(c.width, place));
  }
  for (uint64_t lane = 0; lane < c.width; ++lane)
    c.b.CreateAlignedStore(c.b.CreateExtractElement(v, lane), c.b.CreateExtractElement(pointers, lane), align);
  if (nowhere)
    c.b.CreateLifetimeEnd(nowhere);
}

// Returns the lanes' addresses as pointers.
Value *indexedPointers(const LaneContext &c, Value *base, Value *offset, unsigned scale) {
  // LLVM recognizes the scaled addressing of gathers by an element type of `scale` bytes.
  return c.b.CreateGEP(c.b.getIntNTy(scale * 8), base, offset);
}

} // namespace

Value *emitGather(const LaneContext &c, Type *element, Value *pointers, Value *mask, Align align, Value *passthrough) {
  assert(hasLanes(c, pointers) && pointers->getType()->isPtrOrPtrVectorTy() && isMask(c, mask) && "an address each");
  assert((passthrough == nullptr || passthrough->getType() == c.vectorOf(element)) && "what inactive lanes get");
  const auto addresses = [&] { return c.b.CreatePtrToInt(pointers, c.vectorOf(c.b.getInt64Ty())); };
  Constant *null = Constant::getNullValue(c.b.getPtrTy());
  if (hasNarrowGather(c, element, align))
    return gatherNarrow(c, element, null, addresses(), 1, mask, passthrough);
  if (gathersLaneByLane(c, element))
    return gatherLaneByLane(c, element, pointers, mask, align, passthrough);
  if (!passthrough)
    passthrough = Constant::getNullValue(c.vectorOf(element));
  if (c.target.level == IsaLevel::Avx2) // base null: the addresses are the offsets
    return gatherX86(c, element, null, addresses(), 1, mask, passthrough);
  Type *type = c.vectorOf(element);
  return c.b.CreateMaskedGather(type, pointers, align, materializeMask(c, mask), passthrough);
}

void emitScatter(const LaneContext &c, Value *v, Value *pointers, Value *mask, Align align) {
  assert(hasLanes(c, v) && hasLanes(c, pointers) && isMask(c, mask) && "an element and an address for each lane");
  if (scattersLaneByLane(c, v->getType()->getScalarType())) {
    scatterLaneByLane(c, v, pointers, mask, align);
    return;
  }
  c.b.CreateMaskedScatter(v, pointers, align, materializeMask(c, mask));
}

// Splits units of 32 bits into their bytes or shorts. A first shuffle sorts the parts within every 16 bytes, which it
// does not cross. A second one sorts across them, four equal parts as one wide number. Such a number holds parts of
// several lanes, so the units are frozen first.
static LaneVectors splitDwords(const LaneContext &c, Value *units, unsigned bits) {
  constexpr unsigned kUnits = 4; // units in 16 bytes
  assert((bits == 8 || bits == 16) && c.width % kUnits == 0 && "parts of whole blocks");
  const unsigned parts = 32 / bits, blocks = c.width / kUnits;
  SmallVector<int, 256> within, across;
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned unit = 0; unit < kUnits; ++unit)
        within.push_back(int((block * kUnits + unit) * parts + part));
  for (unsigned part = 0; part < parts; ++part)
    for (unsigned block = 0; block < blocks; ++block)
      across.push_back(int(block * parts + part));
  auto *elements = FixedVectorType::get(c.b.getIntNTy(bits), c.width * parts);
  auto *groups = FixedVectorType::get(c.b.getIntNTy(bits * kUnits), blocks * parts);
  Value *in_blocks = c.b.CreateShuffleVector(c.b.CreateBitCast(defined(c, units), elements), within);
  Value *all = c.b.CreateShuffleVector(c.b.CreateBitCast(in_blocks, groups), across);
  all = c.b.CreateBitCast(all, elements);
  LaneVectors result;
  for (unsigned part = 0; part < parts; ++part)
    result.push_back(c.b.CreateShuffleVector(all, createSequentialMask(part * c.width, c.width, 0)));
  return result;
}

// The 32-bit halves of 64-bit units are one permute of two registers each; with AVX-512 so are 16-bit parts. All other
// parts go through splitDwords.
LaneVectors emitSplitUnits(const LaneContext &c, Value *units, Type *element) {
  const unsigned bits = element->getScalarSizeInBits(), count = units->getType()->getScalarSizeInBits() / bits;
  assert(hasLanes(c, units) && count > 1 && count * bits == units->getType()->getScalarSizeInBits() &&
         "whole components");
  LaneVectors parts;
  if (bits == 32 || (bits == 16 && c.target.level == IsaLevel::Avx512)) {
    Value *all = c.b.CreateBitCast(units, FixedVectorType::get(element, c.width * count));
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(c.b.CreateShuffleVector(all, createStrideMask(i, count, c.width)));
    return parts;
  }
  const bool is_dword = count * bits == 32;
  for (Value *dwords : is_dword ? LaneVectors{units} : emitSplitUnits(c, units, c.b.getInt32Ty()))
    for (Value *part : splitDwords(c, dwords, bits))
      parts.push_back(c.b.CreateBitCast(part, c.vectorOf(element)));
  return parts;
}

// Joins neighbors pairwise until one part is left: parts of less than 32 bits by shifts, of 32 bits by permutes.
static Value *joinIntegers(const LaneContext &c, ArrayRef<Value *> parts) {
  if (parts.size() == 1)
    return parts[0];
  const unsigned bits = parts[0]->getType()->getScalarSizeInBits();
  FixedVectorType *twice = c.vectorOf(c.b.getIntNTy(2 * bits));
  LaneVectors pairs;
  for (size_t i = 0; i < parts.size(); i += 2) {
    if (bits == 32) {
      pairs.push_back(
          c.b.CreateBitCast(c.b.CreateShuffleVector(parts[i], parts[i + 1], createInterleaveMask(c.width, 2)), twice));
    } else {
      Value *upper = c.b.CreateShl(c.b.CreateZExt(parts[i + 1], twice), ConstantInt::get(twice, bits));
      pairs.push_back(c.b.CreateOr(c.b.CreateZExt(parts[i], twice), upper));
    }
  }
  return joinIntegers(c, pairs);
}

Value *emitJoinUnits(const LaneContext &c, ArrayRef<Value *> components) {
  assert(isPowerOf2_64(components.size()) &&
         components.size() * components[0]->getType()->getScalarSizeInBits() <= 64 && "one integer for each lane");
  FixedVectorType *type = c.vectorOf(c.b.getIntNTy(components[0]->getType()->getScalarSizeInBits()));
  LaneVectors parts;
  for (Value *component : components)
    parts.push_back(c.b.CreateBitCast(defined(c, component), type));
  return joinIntegers(c, parts);
}

Value *emitGatherIndexed(const LaneContext &c, Type *element, Value *base, Value *offset, unsigned scale, Value *mask,
                         Align align, Value *passthrough) {
  assert(hasLanes(c, offset) && !base->getType()->isVectorTy() && isScale(c, scale) && "a base and scaled offsets");
  if (hasGather(c, element))
    return gatherX86(c, element, base, offset, scale, mask,
                     passthrough ? passthrough : Constant::getNullValue(c.vectorOf(element)));
  if (hasNarrowGather(c, element, align))
    return gatherNarrow(c, element, base, offset, scale, mask, passthrough);
  if (gathersLaneByLane(c, element) && isFullMask(mask))
    return gatherEachOffset(c, element, base, offset, scale, align);
  return emitGather(c, element, indexedPointers(c, base, offset, scale), mask, align, passthrough);
}

void emitScatterIndexed(const LaneContext &c, Value *v, Value *base, Value *offset, unsigned scale, Value *mask,
                        Align align) {
  assert(hasLanes(c, offset) && !base->getType()->isVectorTy() && isScale(c, scale) && "a base and scaled offsets");
  emitScatter(c, v, indexedPointers(c, base, offset, scale), mask, align);
}

} // namespace lanecl::vectorizer::lanes
