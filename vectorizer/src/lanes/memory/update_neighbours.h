// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic read-modify-write operations of W lanes on neighbouring elements.
#pragma once

#include "lanes/context.h"

#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer::lanes {

// How many neighbouring elements of a type one instruction updates; 1 where a compare-and-exchange of all of them gains
// nothing over an instruction for each.
unsigned updatedTogether(const llvm::AtomicRMWInst &update);

// Lane l updates ptr[l], which is aligned for as many elements as are updated together. All lanes are active. The
// elements of several lanes change at once, which is one of the orders that OpenCL allows.
void emitUpdateNeighbours(const LaneContext &c, const llvm::AtomicRMWInst &update, llvm::Value *operands,
                          llvm::Value *ptr);

// The same for memory that no other thread accesses: a load and a store. Returns the old values; `align` is that of
// ptr.
llvm::Value *emitUpdateOwnNeighbours(const LaneContext &c, const llvm::AtomicRMWInst &update, llvm::Value *operands,
                                     llvm::Value *ptr, llvm::Value *mask, llvm::Align align);

} // namespace lanecl::vectorizer::lanes
