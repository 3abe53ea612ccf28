// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shuffles and broadcasts: values move between lanes by register permutes. Only a broadcast from a variable lane may go
// through memory instead, where a store and a load are faster than the processor's permutes (isFasterFromMemory).
//
// Elements are i1, i8 to i64, half, bfloat, float, double or pointers. An index vector is <W x i32>. Indices are taken
// modulo W (modulo 2W for two sources), which costs nothing where the instruction does it. There is no mask: the
// register content of an inactive lane is read as it is, and the caller decides whether to use it.
//
//   constant index             one shufflevector, which becomes immediate permutes
//   AVX-512                    vperm{b,w,d,q,ps,pd}, two registers by vpermt2*, more by blending
//   AVX2, 32 and 64 bits       vpermps/vpermd per source register, blended
//   AVX2, 8 and 16 bits        pshufb per 16 bytes of source, blended
//   SSE4.2                     pshufb per 16 bytes of source, blended
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Returns the vector whose lane l is v[index[l] mod W].
llvm::Value *emitShuffle(const LaneContext &c, llvm::Value *v, llvm::Value *index);
// Returns the vector whose lane l is element index[l] mod 2W of the 2W elements of `low` followed by `high`.
llvm::Value *emitShuffle2(const LaneContext &c, llvm::Value *low, llvm::Value *high, llvm::Value *index);
// Returns the scalar v[lane mod W]. `lane` is a scalar i32, constant or not.
llvm::Value *emitBroadcast(const LaneContext &c, llvm::Value *v, llvm::Value *lane);
// Returns the scalar value of the first active lane, or of lane 0 if no lane is active.
llvm::Value *emitBroadcastFirst(const LaneContext &c, llvm::Value *v, llvm::Value *mask);
// Returns v with the element of lane `lane` mod W (scalar i32) replaced by `scalar`: a blend, not a store and a load.
llvm::Value *emitInsertLane(const LaneContext &c, llvm::Value *v, llvm::Value *lane, llvm::Value *scalar);

} // namespace lanecl::vectorizer::lanes
