// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory that a running kernel may access through a pointer; see vectorizer/check.h.
#pragma once

#include <cstdint>

namespace lanecl::icd {

uint64_t memoryBegin(const void *pointer);
uint64_t memoryEnd(const void *pointer);

// Before a launch: memory may have been allocated and freed since the last one.
void forgetMemoryBounds();

} // namespace lanecl::icd
