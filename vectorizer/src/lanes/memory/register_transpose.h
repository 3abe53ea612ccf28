// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Converts between structures and vectors of their components, for structures of whole 16-byte blocks, without shuffles
// that cross 128-bit halves of registers. Private to memory_strided.cpp.
#pragma once

#include "lanes/memory/memory.h"

namespace lanecl::vectorizer::lanes {

// Returns whether the conversion applies and is better than splitting into even and odd elements again and again. AVX2
// and SSE4.2 have few shuffles across registers; AVX-512 can shuffle any elements of two registers, so it never applies
// there.
bool isTransposed(const LaneContext &c, llvm::Type *element, unsigned n);

// Returns component k of every group of n elements, for all k, as vectors of W elements.
LaneVectors transposeToComponents(const LaneContext &c, llvm::Value *wide, unsigned n);
// The inverse. Returns registers in the order of memory.
LaneVectors transposeToGroups(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components);

} // namespace lanecl::vectorizer::lanes
