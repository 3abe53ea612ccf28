// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shared by the memory operations: an access of any number of elements under a mask. Private to memory_*.cpp.
#pragma once

#include "lanes/context.h"

#include "llvm/Support/Alignment.h"

namespace lanecl::vectorizer::lanes {

// Which elements of an access belong to which lane: component k of lane l is element l * lane_step + k *
// component_step.
struct Footprint {
  unsigned components = 1;
  unsigned lane_step = 1;
  unsigned component_step = 0;
};

// Accesses all elements of `type` from ptr on that belong to lanes of `lane_mask` (null: all). `mask` says the same for
// the elements, one bit each; ignored when all lanes are active. In a load, elements of `type` may belong to no lane:
// when all lanes are active it also accesses those between the lanes' elements, but none behind the last lane's.
llvm::Value *loadMasked(const LaneContext &c, llvm::FixedVectorType *type, llvm::Value *ptr, llvm::Value *mask,
                        llvm::Value *lane_mask, const Footprint &footprint, llvm::Align align,
                        llvm::Value *passthrough);
void storeMasked(const LaneContext &c, llvm::Value *v, llvm::Value *ptr, llvm::Value *mask, llvm::Value *lane_mask,
                 const Footprint &footprint, llvm::Align align);

// The address `elements` elements behind ptr.
llvm::Value *advance(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, int64_t elements);
// The alignment of that address.
llvm::Align alignmentAt(const LaneContext &c, llvm::Type *element, llvm::Align align, int64_t elements);

} // namespace lanecl::vectorizer::lanes
