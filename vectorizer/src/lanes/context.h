// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The context of every lane operation: where to emit, how many lanes, and which instructions are available.
//
// The functions of this folder are pure emitters: they append instructions at the builder's insertion point and keep
// no state. A lane vector is <W x T>; a mask is <W x i1>, and a null mask means that all W lanes are active.
#pragma once

#include "lanes/target_features.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer::lanes {

// LaneContext is cheap to construct, so each caller makes its own where it needs one. `width` is W, a power of two from
// 4 to 64.
struct LaneContext {
  llvm::IRBuilderBase &b;
  unsigned width;
  TargetFeatures target;

  llvm::FixedVectorType *vectorOf(llvm::Type *element) const { return llvm::FixedVectorType::get(element, width); }
  llvm::FixedVectorType *maskType() const { return vectorOf(b.getInt1Ty()); }
};

// Returns the constant <W x i32> 0, 1, ..., W-1.
llvm::Constant *laneIds(const LaneContext &c);
// Returns a stack variable for one vector, allocated in the function's entry block. The caller should mark its
// lifetime: a variable without lifetime markers is kept across barriers.
llvm::AllocaInst *temporaryOf(const LaneContext &c, llvm::Type *type);
// Returns true if all lanes are known to be active: the mask is null or a constant of ones.
bool isFullMask(const llvm::Value *mask);
// Returns the mask itself, or the constant of ones for null.
llvm::Value *materializeMask(const LaneContext &c, llvm::Value *mask);
// Returns the vector, frozen if one of its elements may be poison. Emitters that join several elements into one wider
// number call it first, because one poison element would make the whole number poison.
llvm::Value *defined(const LaneContext &c, llvm::Value *v);
// Returns the integer iW whose bit l is lane l of the mask.
llvm::Value *maskBits(const LaneContext &c, llvm::Value *mask);

// What emitters assert of their operands: whether the value has an element for each lane, and whether it is a mask of
// the lanes (or null).
bool hasLanes(const LaneContext &c, const llvm::Value *v);
bool isMask(const LaneContext &c, const llvm::Value *mask);

} // namespace lanecl::vectorizer::lanes
