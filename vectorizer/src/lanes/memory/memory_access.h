// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access of any number of elements under a mask, shared by the memory operations. Private to memory_*.cpp.
#pragma once

#include "lanes/context.h"

#include "llvm/Support/Alignment.h"

namespace lanecl::vectorizer::lanes {

// Says which elements of an access belong to which lane: component k of lane l is element l * lane_step + k *
// component_step.
struct Footprint {
  unsigned components = 1;
  unsigned lane_step = 1;
  unsigned component_step = 0;
};

// Accesses all elements of `type` from ptr on that belong to active lanes. `lane_mask` has a bit for each lane (null:
// all are active), `mask` has a bit for each element and is ignored if all lanes are active. Some elements of a load's
// `type` may belong to no lane. If all lanes are active, the load also accesses those between the lanes' elements, but
// none past the last lane's element.
llvm::Value *loadMasked(const LaneContext &c, llvm::FixedVectorType *type, llvm::Value *ptr, llvm::Value *mask,
                        llvm::Value *lane_mask, const Footprint &footprint, llvm::Align align,
                        llvm::Value *passthrough);
void storeMasked(const LaneContext &c, llvm::Value *v, llvm::Value *ptr, llvm::Value *mask, llvm::Value *lane_mask,
                 const Footprint &footprint, llvm::Align align);

// Returns the address `elements` elements past ptr.
llvm::Value *advance(const LaneContext &c, llvm::Type *element, llvm::Value *ptr, int64_t elements);
// Returns the alignment of that address, given the alignment of ptr.
llvm::Align alignmentAt(const LaneContext &c, llvm::Type *element, llvm::Align align, int64_t elements);

} // namespace lanecl::vectorizer::lanes
