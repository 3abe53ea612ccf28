// The gather instructions of AVX2. LLVM emits them only when tuned for a processor where they are fast, and otherwise
// one branch per lane. Used by memory_gather.cpp.
#pragma once

#include "context.h"

namespace lanecl::vectorizer::lanes {

// Elements of 32 or 64 bits at base + offset[l] * scale; offset is <W x i32> or <W x i64>. Inactive lanes get `other`.
llvm::Value *gatherAvx2(const LaneContext &c, llvm::Type *element, llvm::Value *base, llvm::Value *offset,
                        unsigned scale, llvm::Value *mask, llvm::Value *other);

} // namespace lanecl::vectorizer::lanes
