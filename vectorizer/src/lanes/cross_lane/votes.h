// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Queries of a mask that return a scalar. A null mask has all W lanes active.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Returns an i1: is any lane active? It takes one test of the mask register (kortest, movmsk, ptest).
llvm::Value *emitAny(const LaneContext &c, llvm::Value *mask);
// Returns an i1: are all W lanes active?
llvm::Value *emitAll(const LaneContext &c, llvm::Value *mask);
// Returns an i1: is `predicate` true in every active lane? True if no lane is active.
llvm::Value *emitAllActive(const LaneContext &c, llvm::Value *predicate, llvm::Value *mask);
// Returns an i64 whose bit l is lane l; the bits from W on are zero.
llvm::Value *emitBallot(const LaneContext &c, llvm::Value *mask);
// Returns an i32: the number of active lanes.
llvm::Value *emitActiveCount(const LaneContext &c, llvm::Value *mask);
// Returns an i32: the number of the lowest active lane, or 0 if no lane is active.
llvm::Value *emitFirstActive(const LaneContext &c, llvm::Value *mask);
// Returns an i32: the number of the highest active lane, or 0 if no lane is active.
llvm::Value *emitLastActive(const LaneContext &c, llvm::Value *mask);

} // namespace lanecl::vectorizer::lanes
