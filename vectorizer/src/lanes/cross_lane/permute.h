// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Data between lanes: shuffles and broadcasts as register permutes. Through memory goes only a broadcast from the lanes
// of one register, where the processor's permutes are slower than that.
//
// Elements are i1, i8 to i64, half, bfloat, float, double or pointers. An index vector is <W x i32>; an index is taken
// modulo W (modulo 2W for two sources), for free where the instruction does it. There is no mask: for an inactive lane
// the register's content is read, and the caller decides what to do with it.
//
//   constant index             one shufflevector, which becomes immediate permutes
//   AVX-512                    vperm{b,w,d,q,ps,pd}, two registers by vpermt2*, more by blending
//   AVX2, 32 and 64 bits       vpermps/vpermd per source register, blended
//   AVX2, 8 and 16 bits        pshufb per 16 bytes of source, blended
//   SSE4.2                     pshufb per 16 bytes of source, blended
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Lane l gets v[index[l] mod W].
llvm::Value *emitShuffle(const LaneContext &c, llvm::Value *v, llvm::Value *index);
// Lane l gets the element index[l] mod 2W of the 2W elements low, high.
llvm::Value *emitShuffle2(const LaneContext &c, llvm::Value *low, llvm::Value *high, llvm::Value *index);
// The scalar v[lane mod W]; `lane` is a scalar i32, constant or not.
llvm::Value *emitBroadcast(const LaneContext &c, llvm::Value *v, llvm::Value *lane);
// The scalar value of the first active lane; of lane 0 when no lane is active.
llvm::Value *emitBroadcastFirst(const LaneContext &c, llvm::Value *v, llvm::Value *mask);
// v with lane `lane` mod W (scalar i32) replaced by `scalar`: a blend by lane number, without memory.
llvm::Value *emitInsertLane(const LaneContext &c, llvm::Value *v, llvm::Value *lane, llvm::Value *scalar);

} // namespace lanecl::vectorizer::lanes
