// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the checks of check mode want to know of memory: when there is some, and when the program frees it.
#pragma once

#include <cstddef>

namespace lanecl::icd {

struct MemoryWatch {
  void (*made)(const void *begin, size_t bytes, const char *kind); // "an allocation"
  void (*gone)(const void *begin, size_t bytes); // a little before something else may be allocated there
  void (*freed)(const char *function, const void *begin, size_t bytes); // by the program, with a function of the API
  void (*object_gone)(const void *object) = nullptr;                    // a memory object, whatever memory it has
};

// From now on; it lives as long as the process. Called by one thread, for as many checks as there are.
void watchMemory(const MemoryWatch &watch);

// These do nothing unless somebody watches.
void noteMemoryMade(const void *begin, size_t bytes, const char *kind);
void noteMemoryGone(const void *begin, size_t bytes);
void noteMemoryFreed(const char *function, const void *begin, size_t bytes);
void noteMemoryObjectGone(const void *object);

} // namespace lanecl::icd
