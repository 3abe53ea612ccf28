// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The processor's gathers. On AVX2 LLVM emits them only when tuned for a processor where they are fast,
// and otherwise one branch per lane. On AVX-512 it splits an address into base and index only where no part of it was
// hoisted out of a loop. Used by memory_gather.cpp.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

bool hasGather(const LaneContext &c, llvm::Type *element);

// Elements of 32 or 64 bits at base + offset[l] * scale; offset is <W x i32> or <W x i64>. Inactive lanes get `other`.
llvm::Value *gatherX86(const LaneContext &c, llvm::Type *element, llvm::Value *base, llvm::Value *offset,
                       unsigned scale, llvm::Value *mask, llvm::Value *other);

} // namespace lanecl::vectorizer::lanes
