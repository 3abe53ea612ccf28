// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory that a running kernel may access through a pointer; see vectorizer/check.h.
#pragma once

#include <cstdint>

namespace lanecl::icd {

uint64_t memoryBegin(const void *pointer);
uint64_t readableEnd(const void *pointer);
uint64_t writableEnd(const void *pointer); // the begin of memory that the host has made for reading only

// Before a launch: memory may have been allocated and freed since the last one.
void forgetMemoryBounds();

} // namespace lanecl::icd
