// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which memory nobody has written, where check mode asks for it: each byte has one in the shadow, whose bits are set
// where the byte's were not written. What is not known counts as written, so the shadow begins with zeros, and takes
// room only where memory is marked. See vectorizer/check.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

bool shadowsAllMemory();
uint64_t shadowBase(); // of all memory, or of local and private memory only; 0: there is none

// Does nothing without any shadow.
void markLocalUnwritten(const void *memory, size_t bytes);

// These do nothing without a shadow of all memory.
void markUnwritten(const void *memory, size_t bytes);
void markWritten(const void *memory, size_t bytes);
// A command copies memory that only the device writes to such memory.
void copyMarks(void *target, const void *source, size_t bytes);

// The shadow of memory. There must be one.
std::byte *shadowOf(const void *memory);

} // namespace lanecl::icd
