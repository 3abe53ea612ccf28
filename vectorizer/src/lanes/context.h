// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The context of every lane operation: where to emit, how many lanes, and which instructions are available.
//
// The functions of this folder are pure emitters: they append instructions at the builder's insertion point and keep
// no state. A lane vector is <W x T>; a mask is <W x i1>, and a null mask means that all W lanes are active.
#pragma once

#include "lanes/target_features.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer::lanes {

// Cheap to make wherever it is needed. `width` is a power of two from 4 to 64.
struct LaneContext {
  llvm::IRBuilderBase &b;
  unsigned width;
  TargetFeatures target;

  llvm::FixedVectorType *vectorOf(llvm::Type *element) const { return llvm::FixedVectorType::get(element, width); }
  llvm::FixedVectorType *maskType() const { return vectorOf(b.getInt1Ty()); }
};

// <W x i32> 0, 1, ..., W-1.
llvm::Constant *laneIds(const LaneContext &c);
// A stack variable for one vector. Its lifetime should be marked: else it is kept across barriers.
llvm::AllocaInst *temporaryOf(const LaneContext &c, llvm::Type *type);
// True for null and for a constant mask of ones: all lanes are known to be active.
bool isFullMask(const llvm::Value *mask);
// The mask itself, or all ones for null.
llvm::Value *materializeMask(const LaneContext &c, llvm::Value *mask);
// The vector with some value in each lane where it is undefined: before elements are put together, because a number
// that is undefined in part is undefined as a whole.
llvm::Value *defined(const LaneContext &c, llvm::Value *v);
// The integer iW whose bit l is lane l of the mask.
llvm::Value *maskBits(const LaneContext &c, llvm::Value *mask);

} // namespace lanecl::vectorizer::lanes
