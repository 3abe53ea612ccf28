// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers of elements narrower than the processor's: bytes, shorts and halves come in the aligned 4 bytes around them,
// which lie in one page with the element. What else is in them is cut off. Used by memory_gather.cpp.
#pragma once

#include "lanes/context.h"

#include "llvm/Support/Alignment.h"

namespace lanecl::vectorizer::lanes {

// An element of 8 or 16 bits that never crosses the border of 4 aligned bytes.
bool hasNarrowGather(const LaneContext &c, llvm::Type *element, llvm::Align align);

// As emitGatherIndexed of memory.h: lane l loads from base + offset[l] * scale.
llvm::Value *gatherNarrow(const LaneContext &c, llvm::Type *element, llvm::Value *base, llvm::Value *offset,
                          unsigned scale, llvm::Value *mask, llvm::Value *passthrough);

} // namespace lanecl::vectorizer::lanes
