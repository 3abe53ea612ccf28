// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory accesses of W lanes. No function accesses memory of inactive lanes, not even by loads; but a load may include
// memory between the elements of active lanes, and a gather the rest of the aligned 4 bytes that an element is in.
//
// `element` is the type of one lane's element in memory: an integer of 8 to 64 bits, half, bfloat, float, double or
// pointer (not i1). `align` is the alignment of one element unless said otherwise. In loads, inactive lanes get the
// value of `passthrough`, or zero when it is null. A null mask: all lanes active, the caller guarantees that every
// lane's element may be accessed.
//
// Masked accesses of neighbouring elements of 8 and 16 bits on AVX2, and of any on SSE4.2, have no instruction. They
// test for the full mask at run time and otherwise copy the active lanes' elements in a loop; that adds basic blocks,
// and the builder is then in a new block (see `splitForContinuation` in loop.h).
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Alignment.h"

namespace lanecl::vectorizer::lanes {

using LaneVectors = llvm::SmallVector<llvm::Value *, 16>;

// Lane l accesses ptr[l]. `align` is that of ptr.
llvm::Value *emitLoadConsecutive(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, llvm::Value *mask,
                                 llvm::Align align, llvm::Value *passthrough = nullptr);
void emitStoreConsecutive(const LaneContext &c, llvm::Value *v, llvm::Value *ptr, llvm::Value *mask, llvm::Align align);

// Lane l accesses ptr[-l]: ptr is the address of lane 0, the highest.
llvm::Value *emitLoadReverse(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, llvm::Value *mask,
                             llvm::Align align, llvm::Value *passthrough = nullptr);
void emitStoreReverse(const LaneContext &c, llvm::Value *v, llvm::Value *ptr, llvm::Value *mask, llvm::Align align);

// Lane l accesses pointers[l], a <W x ptr>. When lanes of a scatter have the same address, the last one's value stays:
// they are written in lane order.
llvm::Value *emitGather(const LaneContext &c, llvm::Type *element, llvm::Value *pointers, llvm::Value *mask,
                        llvm::Align align, llvm::Value *passthrough = nullptr);
void emitScatter(const LaneContext &c, llvm::Value *v, llvm::Value *pointers, llvm::Value *mask, llvm::Align align);

// The components of `element` that each lane's integer in `units` consists of, the lowest bits first.
LaneVectors emitSplitUnits(const LaneContext &c, llvm::Value *units, llvm::Type *element);
// The inverse: one integer of at most 64 bits for each lane. The number of components is a power of two. An undefined
// component leaves the others' bits as they are.
llvm::Value *emitJoinUnits(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components);

// Lane l accesses the address base + offset[l] * scale, in bytes; offset is <W x i32> or <W x i64>, signed; 32 bits
// take half the index registers. `scale` 1, 2, 4 or 8 goes into the instruction.
llvm::Value *emitGatherIndexed(const LaneContext &c, llvm::Type *element, llvm::Value *base, llvm::Value *offset,
                               unsigned scale, llvm::Value *mask, llvm::Align align,
                               llvm::Value *passthrough = nullptr);
void emitScatterIndexed(const LaneContext &c, llvm::Value *v, llvm::Value *base, llvm::Value *offset, unsigned scale,
                        llvm::Value *mask, llvm::Align align);

// Arrays of small vectors: lane l's component k is ptr[l * stride + k], so the W lanes cover W * stride elements, and
// without gaps when stride is n. It may also be the next power of two: three components occupy the space of four.
// Returns the n lane vectors. `align` is that of ptr.
LaneVectors emitLoadStrided(const LaneContext &c, llvm::Type *element, unsigned n, unsigned stride, llvm::Value *ptr,
                            llvm::Value *mask, llvm::Align align);
// The same with stride n.
void emitStoreStrided(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components, llvm::Value *ptr,
                      llvm::Value *mask, llvm::Align align);

// Whether wide loads and shuffles serve this distance.
bool isShuffledStride(int64_t elements);
// Lane l loads ptr[l * stride], stride in elements, not 0. Wide loads and shuffles for the full mask and strides 2 to
// 8, reading nothing outside [ptr, ptr + (W-1) * stride]; otherwise (negative or large stride, mask) a gather.
llvm::Value *emitLoadConstantStride(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, int64_t stride,
                                    llvm::Value *mask, llvm::Align align, llvm::Value *passthrough = nullptr);

// Block access: component k of lane l is ptr[l + k * W]. n lane vectors; components narrower than a register share wide
// accesses. With a mask, only the elements of active lanes are accessed.
LaneVectors emitBlockRead(const LaneContext &c, llvm::Type *element, unsigned n, llvm::Value *ptr, llvm::Value *mask,
                          llvm::Align align);
void emitBlockWrite(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components, llvm::Value *ptr, llvm::Value *mask,
                    llvm::Align align);

} // namespace lanecl::vectorizer::lanes
