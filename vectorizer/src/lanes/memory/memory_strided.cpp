// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Strided accesses of arrays of small vectors, by wide contiguous accesses and shuffles (see memory.h).

#include "lanes/memory/memory.h"
#include "lanes/memory/memory_access.h"
#include "lanes/memory/register_transpose.h"

#include "llvm/Analysis/VectorUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

constexpr int64_t kMaxShuffledStride = 8; // farther apart, wide loads access more bytes than a gather

// Splits a wide vector into vectors of W elements.
LaneVectors pieces(const LaneContext &c, Value *wide) {
  LaneVectors result;
  for (unsigned i = 0; i < cast<FixedVectorType>(wide->getType())->getNumElements(); i += c.width)
    result.push_back(c.b.CreateShuffleVector(wide, createSequentialMask(i, c.width, 0)));
  return result;
}

// Returns component k of every group of n elements, for all k. For even n the elements are first split into even and
// odd ones, each split one shuffle of two registers. For n = 4 this takes 8 shuffles; taking every component from all
// registers would take 12.
LaneVectors deinterleave(const LaneContext &c, Value *wide, unsigned n) {
  if (n == 1)
    return {wide};
  const unsigned count = cast<FixedVectorType>(wide->getType())->getNumElements();
  assert(count % n == 0 && "whole groups");
  if (n % 2 != 0) {
    LaneVectors components;
    for (unsigned k = 0; k < n; ++k)
      components.push_back(c.b.CreateShuffleVector(wide, createStrideMask(k, n, count / n)));
    return components;
  }
  const unsigned half = count / 2;
  const LaneVectors even = deinterleave(c, c.b.CreateShuffleVector(wide, createStrideMask(0, 2, half)), n / 2);
  const LaneVectors odd = deinterleave(c, c.b.CreateShuffleVector(wide, createStrideMask(1, 2, half)), n / 2);
  LaneVectors components;
  for (const auto &[x, y] : zip(even, odd))
    components.append({x, y});
  return components;
}

// The inverse of deinterleave, as vectors of W elements. One wide vector would be merged into a single shuffle again,
// which LLVM would then make from all registers.
LaneVectors interleave(const LaneContext &c, ArrayRef<Value *> components) {
  const auto n = unsigned(components.size());
  assert(hasLanes(c, components[0]) && "an element for each lane");
  if (n == 1)
    return {components[0]};
  // (x, x, x, x) is one permute of x. The shuffles below would be of x with itself; on those of bytes the code
  // generator of LLVM 22 does not terminate, for AVX2 and without optimization. The defect is covered by "vectors that
  // repeat numbers are stored" in tests/kernels/code_generation.cpp.
  if (all_equal(components))
    return pieces(c, c.b.CreateShuffleVector(components[0], createReplicatedMask(int(n), int(c.width))));
  if (n % 2 != 0)
    return pieces(c, c.b.CreateShuffleVector(concatenateVectors(c.b, components), createInterleaveMask(c.width, n)));
  LaneVectors even, odd, result;
  for (unsigned k = 0; k < n; k += 2) {
    even.push_back(components[k]);
    odd.push_back(components[k + 1]);
  }
  const SmallVector<int, 16> both = createInterleaveMask(c.width, 2);
  for (const auto &[x, y] : zip(interleave(c, even), interleave(c, odd)))
    for (ArrayRef<int> half : {ArrayRef(both).take_front(c.width), ArrayRef(both).drop_front(c.width)})
      result.push_back(c.b.CreateShuffleVector(x, y, half));
  return result;
}

// Returns the mask of the elements: each lane's bit repeated n times.
Value *elementMask(const LaneContext &c, Value *mask, unsigned n) {
  if (isFullMask(mask) || n == 1)
    return mask;
  return c.b.CreateShuffleVector(mask, createReplicatedMask(n, c.width));
}

// Returns a mask that is true for the first n of every `stride` elements.
Constant *withComponents(const LaneContext &c, unsigned n, unsigned stride) {
  SmallVector<Constant *, 64> bits;
  for (unsigned i = 0; i < stride * c.width; ++i)
    bits.push_back(c.b.getInt1(i % stride < n));
  return ConstantVector::get(bits);
}

// A wide load, and which lanes' elements it holds.
struct Chunk {
  Value *v;
  SmallVector<int, 64> element; // for each lane, the position of its element in v, or -1
};

// Emits loads of W elements each that cover everything from lane 0's to the last lane's element. The last load is moved
// back so that it ends with the last lane's element.
SmallVector<Chunk, 8> loadChunks(const LaneContext &c, Type *element, Value *ptr, int64_t stride, Align align) {
  const int64_t width = c.width, total = (width - 1) * stride + 1;
  SmallVector<Chunk, 8> chunks;
  int64_t lane = 0;
  while (lane < width) {
    const int64_t first = std::min(lane * stride, total - width);
    assert(first >= 0 && lane * stride < first + width && "each load gets the element of another lane");
    Chunk chunk{c.b.CreateAlignedLoad(c.vectorOf(element), advance(c, element, ptr, first),
                                      alignmentAt(c, element, align, first)),
                SmallVector<int, 64>(c.width, -1)};
    for (; lane < width && lane * stride < first + width; ++lane)
      chunk.element[unsigned(lane)] = int(lane * stride - first);
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

// Merges the lanes of both chunks into one vector, in which each element is at its lane's position.
Chunk mergeChunks(const LaneContext &c, const Chunk &x, const Chunk &y) {
  Chunk merged{nullptr, SmallVector<int, 64>(c.width, -1)};
  SmallVector<int, 64> shuffle(c.width, PoisonMaskElem);
  for (unsigned lane = 0; lane < c.width; ++lane) {
    if (x.element[lane] < 0 && y.element[lane] < 0)
      continue;
    shuffle[lane] = x.element[lane] >= 0 ? x.element[lane] : int(c.width) + y.element[lane];
    merged.element[lane] = int(lane);
  }
  merged.v = c.b.CreateShuffleVector(x.v, y.v, shuffle);
  return merged;
}

} // namespace

LaneVectors emitLoadStrided(const LaneContext &c, Type *element, unsigned n, unsigned stride, Value *ptr, Value *mask,
                            Align align) {
  assert(n != 0 && (stride == n || stride == PowerOf2Ceil(n)) && isMask(c, mask) && "structures of n elements");
  Value *elements = elementMask(c, mask, stride);
  if (n < stride && !isFullMask(mask))
    elements = c.b.CreateLogicalAnd(withComponents(c, n, stride), elements);
  Value *wide = loadMasked(c, FixedVectorType::get(element, stride * c.width), ptr, elements, mask, {n, stride, 1},
                           align, nullptr);
  LaneVectors components =
      isTransposed(c, element, stride) ? transposeToComponents(c, wide, stride) : deinterleave(c, wide, stride);
  components.truncate(n);
  return components;
}

void emitStoreStrided(const LaneContext &c, ArrayRef<Value *> components, Value *ptr, Value *mask, Align align) {
  const auto n = unsigned(components.size());
  assert(n != 0 && all_equal(map_range(components, [](const Value *v) { return v->getType(); })) && "alike");
  const LaneVectors groups = isTransposed(c, components[0]->getType()->getScalarType(), n)
                                 ? transposeToGroups(c, components)
                                 : interleave(c, components);
  storeMasked(c, concatenateVectors(c.b, groups), ptr, elementMask(c, mask, n), mask, {n, n, 1}, align);
}

bool isShuffledStride(int64_t elements) {
  return elements >= 2 && elements <= kMaxShuffledStride;
}

Value *emitLoadConstantStride(const LaneContext &c, Type *element, Value *ptr, int64_t stride, Value *mask, Align align,
                              Value *passthrough) {
  assert(stride != 0 && isMask(c, mask) && "lanes have elements of their own");
  if (stride == 1)
    return emitLoadConsecutive(c, element, ptr, mask, align, passthrough);
  if (stride == -1)
    return emitLoadReverse(c, element, ptr, mask, align, passthrough);
  if (!isShuffledStride(stride) || !isFullMask(mask)) {
    const uint64_t size = c.b.GetInsertBlock()->getDataLayout().getTypeStoreSize(element);
    Type *offset = isInt<25>(stride) ? c.b.getInt32Ty() : c.b.getInt64Ty();
    Value *ids = c.b.CreateZExt(laneIds(c), c.vectorOf(offset));
    Value *elements = c.b.CreateMul(ids, ConstantInt::getSigned(c.vectorOf(offset), stride));
    return emitGatherIndexed(c, element, ptr, elements, unsigned(size), mask, align, passthrough);
  }
  SmallVector<Chunk, 8> chunks = loadChunks(c, element, ptr, stride, align);
  for (; chunks.size() > 1; chunks.truncate((chunks.size() + 1) / 2))
    for (size_t i = 0; i < chunks.size(); i += 2)
      chunks[i / 2] = i + 1 < chunks.size() ? mergeChunks(c, chunks[i], chunks[i + 1]) : chunks[i];
  assert(none_of(chunks[0].element, [](int from) { return from < 0; }) && "each lane has its element");
  return chunks[0].v;
}

} // namespace lanecl::vectorizer::lanes
