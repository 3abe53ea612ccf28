// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The processor's gather instructions, as intrinsics. LLVM's own gathers are worse in two ways. On AVX2 LLVM emits them
// only if it tunes for a processor where they are fast, and one branch per lane otherwise. On AVX-512 LLVM splits an
// address into base and index only if no part of it was hoisted out of a loop. Used by memory_gather.cpp.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Returns whether gatherX86 takes the element: 32 or 64 bits, on AVX-512 with at least 8 lanes or fast AVX2 gathers.
bool hasGather(const LaneContext &c, llvm::Type *element);

// Gathers elements of 32 or 64 bits at base + offset[l] * scale. `offset` is <W x i32> or <W x i64>. Inactive lanes get
// `other`.
llvm::Value *gatherX86(const LaneContext &c, llvm::Type *element, llvm::Value *base, llvm::Value *offset,
                       unsigned scale, llvm::Value *mask, llvm::Value *other);

} // namespace lanecl::vectorizer::lanes
