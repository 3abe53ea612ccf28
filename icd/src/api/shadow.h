// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shadow memory of check mode, which tells which memory is uninitialized. Each byte of memory has one byte in the
// shadow; a bit of it is set if the bit of the memory is uninitialized. Memory counts as initialized unless it is
// marked, so the shadow starts with zeros and takes room only where memory is marked. Generated code reads and updates
// the shadow itself, see vectorizer/check.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

// Whether the shadow covers global memory, too, rather than local and private memory only.
bool shadowsAllMemory();
// Returns the address of the shadow, or 0 if there is none.
uint64_t shadowBase();

// Marks the local memory of a work-group as uninitialized. Does nothing if there is no shadow.
void markLocalUnwritten(const void *memory, size_t bytes);

// Mark memory as uninitialized or initialized. They do nothing unless shadowsAllMemory().
void markUnwritten(const void *memory, size_t bytes);
void markWritten(const void *memory, size_t bytes);
// Copies the marks along with a command that copies memory. Both memories must be written by the device only, because
// writes of the host are not noticed. Does nothing unless shadowsAllMemory().
void copyMarks(void *target, const void *source, size_t bytes);

// Returns the shadow of an address. There must be a shadow.
std::byte *shadowOf(const void *memory);

} // namespace lanecl::icd
