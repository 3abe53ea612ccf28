// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals the checks of check mode when memory appears, when the program frees it, and when it is gone.
#pragma once

#include <cstddef>

namespace lanecl::icd {

// The functions that a check registers.
struct MemoryWatch {
  // A memory object or an allocation was made. `kind` is the text for reports, such as "an allocation".
  void (*made)(const void *begin, size_t bytes, const char *kind);
  // The memory is about to be returned to the allocator, which may use it for something else from then on.
  void (*gone)(const void *begin, size_t bytes);
  // The program has called `function` of the API to free the memory, which commands may still be using.
  void (*freed)(const char *function, const void *begin, size_t bytes);
  // A memory object is destroyed, whether its memory is its own or not.
  void (*object_gone)(const void *object) = nullptr;
};

// Registers `watch`, which must live as long as the process. Called by one thread only.
void watchMemory(const MemoryWatch &watch);

// Call the functions of the same meaning in all registered watches.
void noteMemoryMade(const void *begin, size_t bytes, const char *kind);
void noteMemoryGone(const void *begin, size_t bytes);
void noteMemoryFreed(const char *function, const void *begin, size_t bytes);
void noteMemoryObjectGone(const void *object);

} // namespace lanecl::icd
