// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Queries of a mask with a scalar result. A null mask has all W lanes active.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// i1: is any lane active? One test of the mask register (kortest, movmsk, ptest).
llvm::Value *emitAny(const LaneContext &c, llvm::Value *mask);
// i1: are all W lanes active?
llvm::Value *emitAll(const LaneContext &c, llvm::Value *mask);
// i1: is `predicate` true in every active lane? True when no lane is active.
llvm::Value *emitAllActive(const LaneContext &c, llvm::Value *predicate, llvm::Value *mask);
// i64: bit l is lane l, the bits from W on are zero.
llvm::Value *emitBallot(const LaneContext &c, llvm::Value *mask);
// i32: how many lanes are active.
llvm::Value *emitActiveCount(const LaneContext &c, llvm::Value *mask);
// i32: the active lane with the lowest number; 0 when no lane is active.
llvm::Value *emitFirstActive(const LaneContext &c, llvm::Value *mask);
// i32: the active lane with the highest number; 0 when no lane is active.
llvm::Value *emitLastActive(const LaneContext &c, llvm::Value *mask);

} // namespace lanecl::vectorizer::lanes
