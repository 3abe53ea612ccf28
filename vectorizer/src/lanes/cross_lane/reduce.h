// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions and prefix scans over the active lanes, in log2 W steps.
//
// The order is fixed and the same for every instruction set, so that floating-point results do not depend on the host:
//   reduction: a halving tree. For h = W/2, W/4, ..., 1:  v[i] = v[i] op v[i + h] for i < h; the result is v[0].
//   clustered reduction: a butterfly. For h = 1, 2, ..., size/2:  v[i] = v[i] op v[i xor h].
//   inclusive scan: Hillis and Steele's in blocks of four lanes, then Sklansky's.
//     For d = 1, 2:             v[i] = v[i - d] op v[i], with the identity where i mod 4 < d.
//     For d = 4, 8, ..., W/2:   v[i] = v[j] op v[i], with j = i - i mod d - 1, where i and d have a bit in common.
//   exclusive scan: the inclusive scan of the lanes shifted up by one, lane 0 holding the start value.
// Inactive lanes contribute the identity. Their own results in a scan are unspecified values, but never poison.
//
// The identities are 0 for add (-0.0 in floating point, the only value that leaves every x as it is), 1 for mul, ~0 for
// and, 0 for or and xor, the largest integer for smin and umin, the smallest for smax and umax, +inf for fmin and -inf
// for fmax. An exclusive scan starts with the identity, except that OpenCL wants +0.0 for the floating-point add.
//
// fmin and fmax follow OpenCL: a NaN loses against a number. If every active lane is NaN and some lane is inactive, the
// result is the identity. The sign of a zero that ties with another zero is unspecified.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Add and Mul are integer or floating point, by the type of the value.
enum class ReduceOp { Add, Mul, SMin, SMax, UMin, UMax, FMin, FMax, And, Or, Xor };
enum class ScanKind { Inclusive, Exclusive };

// Returns the identity listed above. `type` is the scalar type of an element.
llvm::Constant *reduceIdentity(ReduceOp op, llvm::Type *type);
// Emits `a op b` on scalars or vectors.
llvm::Value *emitReduceStep(const LaneContext &c, ReduceOp op, llvm::Value *a, llvm::Value *b);
// Reduces a <W x T> to a T. The result is the identity if no lane is active.
llvm::Value *emitReduce(const LaneContext &c, ReduceOp op, llvm::Value *v, llvm::Value *mask);
// Reduces integers to a <W x T>, so that all lanes get the result. Returns null where a splat of emitReduce's scalar
// takes no more instructions. Returns null for floating point, too: the lanes' results could differ in the sign of a
// zero or the bits of a NaN.
llvm::Value *emitReduceToAll(const LaneContext &c, ReduceOp op, llvm::Value *v, llvm::Value *mask);
// Maps <W x T> to <W x T>: every active lane gets the result of its cluster of `size` neighbors. `size` is a scalar
// i32, a power of two from 1 to W. A constant size takes log2 size steps, a variable one log2 W.
llvm::Value *emitClusteredReduce(const LaneContext &c, ReduceOp op, llvm::Value *v, llvm::Value *mask,
                                 llvm::Value *size);
// Maps <W x T> to <W x T>: every active lane gets the result of the lanes up to its own.
llvm::Value *emitScan(const LaneContext &c, ReduceOp op, llvm::Value *v, llvm::Value *mask, ScanKind kind);

} // namespace lanecl::vectorizer::lanes
