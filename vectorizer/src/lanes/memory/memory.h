// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory accesses of W lanes. No function accesses memory of inactive lanes, not even by loads. A load may however
// include memory between the elements of active lanes, and a gather the rest of the aligned 4 bytes around an element.
//
// `element` is the type of one lane's element in memory: an integer of 8 to 64 bits, half, bfloat, float, double or
// pointer (not i1). `align` is the alignment of one element unless said otherwise. In loads, inactive lanes get the
// value of `passthrough`, or zero if it is null. With a null mask all lanes are active, and the caller guarantees that
// every lane's element may be accessed.
//
// Some masked accesses of neighboring elements test for the full mask at run time, which adds basic blocks: those
// without an instruction (elements of 8 and 16 bits on AVX2, all elements on SSE4.2) and all masked stores on AVX2. If
// some lane is inactive, those without an instruction copy the active lanes' elements in a loop. The builder is then in
// a new block (see `splitForContinuation` in loop.h).
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Alignment.h"

namespace lanecl::vectorizer::lanes {

using LaneVectors = llvm::SmallVector<llvm::Value *, 16>;

// Lane l accesses ptr[l]. `align` is the alignment of ptr.
llvm::Value *emitLoadConsecutive(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, llvm::Value *mask,
                                 llvm::Align align, llvm::Value *passthrough = nullptr);
void emitStoreConsecutive(const LaneContext &c, llvm::Value *v, llvm::Value *ptr, llvm::Value *mask, llvm::Align align);

// Lane l accesses ptr[-l], so ptr is the address of lane 0, the highest one.
llvm::Value *emitLoadReverse(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, llvm::Value *mask,
                             llvm::Align align, llvm::Value *passthrough = nullptr);
void emitStoreReverse(const LaneContext &c, llvm::Value *v, llvm::Value *ptr, llvm::Value *mask, llvm::Align align);

// Lane l accesses pointers[l], a <W x ptr>. A scatter writes in lane order: of lanes with the same address, the last
// one's value stays.
llvm::Value *emitGather(const LaneContext &c, llvm::Type *element, llvm::Value *pointers, llvm::Value *mask,
                        llvm::Align align, llvm::Value *passthrough = nullptr);
void emitScatter(const LaneContext &c, llvm::Value *v, llvm::Value *pointers, llvm::Value *mask, llvm::Align align);

// Splits each lane's integer in `units` into components of type `element`, the lowest bits first.
LaneVectors emitSplitUnits(const LaneContext &c, llvm::Value *units, llvm::Type *element);
// The inverse of emitSplitUnits: joins the components of each lane into one integer of at most 64 bits. The number of
// components is a power of two. A poison component leaves the bits of the others as they are.
llvm::Value *emitJoinUnits(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components);

// Lane l accesses the byte address base + offset[l] * scale. `offset` is a signed <W x i32> or <W x i64>; 32 bits take
// half the index registers. `scale` is 1, 2, 4 or 8, which the instruction multiplies by.
llvm::Value *emitGatherIndexed(const LaneContext &c, llvm::Type *element, llvm::Value *base, llvm::Value *offset,
                               unsigned scale, llvm::Value *mask, llvm::Align align,
                               llvm::Value *passthrough = nullptr);
void emitScatterIndexed(const LaneContext &c, llvm::Value *v, llvm::Value *base, llvm::Value *offset, unsigned scale,
                        llvm::Value *mask, llvm::Align align);

// Loads an array of small vectors: component k of lane l is ptr[l * stride + k], so the W lanes cover W * stride
// elements. `stride` is n, which leaves no gaps, or the next power of two: three components then occupy the space of
// four. Returns the n lane vectors. `align` is the alignment of ptr.
LaneVectors emitLoadStrided(const LaneContext &c, llvm::Type *element, unsigned n, unsigned stride, llvm::Value *ptr,
                            llvm::Value *mask, llvm::Align align);
// Stores an array of small vectors without gaps: stride n.
void emitStoreStrided(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components, llvm::Value *ptr,
                      llvm::Value *mask, llvm::Align align);

// Returns whether emitLoadConstantStride uses wide loads and shuffles for this distance between lanes.
bool isShuffledStride(int64_t elements);
// Lane l loads ptr[l * stride]. `stride` counts elements and is not 0. With a full mask and strides 2 to 8 this is wide
// loads and shuffles, which read nothing outside [ptr, ptr + (W-1) * stride]. Strides 1 and -1 are contiguous accesses.
// All others (negative or large stride, partial mask) are gathers.
llvm::Value *emitLoadConstantStride(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, int64_t stride,
                                    llvm::Value *mask, llvm::Align align, llvm::Value *passthrough = nullptr);

// Block access: component k of lane l is ptr[l + k * W]. There are n lane vectors; components narrower than a register
// share wide accesses. With a mask, only the elements of active lanes are accessed.
LaneVectors emitBlockRead(const LaneContext &c, llvm::Type *element, unsigned n, llvm::Value *ptr, llvm::Value *mask,
                          llvm::Align align);
void emitBlockWrite(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components, llvm::Value *ptr, llvm::Value *mask,
                    llvm::Align align);

} // namespace lanecl::vectorizer::lanes
