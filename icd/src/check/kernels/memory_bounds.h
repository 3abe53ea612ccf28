// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Returns the memory that a running kernel may access through a pointer. Instrumented kernels call these functions and
// compare each access with the bounds; see vectorizer/check.h.
#pragma once

#include <cstdint>

namespace lanecl::icd {

// Return the start and the end of the memory that `pointer` points into, or to the end of. A null or freed pointer has
// no memory: both are 0. If nothing is known about the pointer, the memory is the whole address space. Memory made with
// CL_MEM_WRITE_ONLY has a readable length of 0, memory made with CL_MEM_READ_ONLY a writable length of 0.
uint64_t memoryBegin(const void *pointer);
uint64_t readableEnd(const void *pointer);
uint64_t writableEnd(const void *pointer);

// Called before each launch, because memory may have been allocated and freed since the one before: drops the bounds
// that threads have remembered.
void forgetMemoryBounds();

} // namespace lanecl::icd
