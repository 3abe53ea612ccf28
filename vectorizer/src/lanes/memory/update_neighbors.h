// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic read-modify-write operations of W lanes on neighboring elements, several of which are updated together.
#pragma once

#include "lanes/context.h"

#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer::lanes {

// Returns how many neighboring elements one compare-and-exchange updates: as many as 16 bytes hold. Returns 1 where
// that gains nothing over one atomic instruction for each element.
unsigned updatedTogether(const llvm::AtomicRMWInst &update);

// Lane l updates ptr[l]; all lanes are active, and the old values are not needed. ptr is aligned for as many elements
// as are updated together. The elements of several lanes change at once, which is one of the orders that OpenCL allows.
void emitUpdateNeighbors(const LaneContext &c, const llvm::AtomicRMWInst &update, llvm::Value *operands,
                         llvm::Value *ptr);

// The same for memory that no other thread accesses: a load and a store. Returns the old values. `align` is the
// alignment of ptr.
llvm::Value *emitUpdateOwnNeighbors(const LaneContext &c, const llvm::AtomicRMWInst &update, llvm::Value *operands,
                                    llvm::Value *ptr, llvm::Value *mask, llvm::Align align);

} // namespace lanecl::vectorizer::lanes
