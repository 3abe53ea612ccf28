// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers of bytes, shorts and halves, for which the processor has no gather instruction. Each lane gathers the aligned
// 4 bytes around its element, which lie in the same page, and shifts and truncates them to the element. Used by
// memory_gather.cpp.
#pragma once

#include "lanes/context.h"

#include "llvm/Support/Alignment.h"

namespace lanecl::vectorizer::lanes {

// Returns whether such a gather applies: the element has 8 or 16 bits and never crosses a 4-byte boundary.
bool hasNarrowGather(const LaneContext &c, llvm::Type *element, llvm::Align align);

// Like emitGatherIndexed of memory.h: lane l loads from base + offset[l] * scale.
llvm::Value *gatherNarrow(const LaneContext &c, llvm::Type *element, llvm::Value *base, llvm::Value *offset,
                          unsigned scale, llvm::Value *mask, llvm::Value *passthrough);

} // namespace lanecl::vectorizer::lanes
