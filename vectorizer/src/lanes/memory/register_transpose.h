// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structures of whole 16-byte blocks and their components, without shuffles that cross the registers' halves. Private
// to memory_strided.cpp.
#pragma once

#include "lanes/memory/memory.h"

namespace lanecl::vectorizer::lanes {

// Whether that is possible and better than to halve the number of components again and again: AVX-512 has a shuffle of
// any elements of two registers, AVX2 and SSE4.2 have few.
bool isTransposed(const LaneContext &c, llvm::Type *element, unsigned n);

// Component k of every group of n elements, for all k, as vectors of W elements.
LaneVectors transposeToComponents(const LaneContext &c, llvm::Value *wide, unsigned n);
// The inverse, as registers in the order of memory.
LaneVectors transposeToGroups(const LaneContext &c, llvm::ArrayRef<llvm::Value *> components);

} // namespace lanecl::vectorizer::lanes
