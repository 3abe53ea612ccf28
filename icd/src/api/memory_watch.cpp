// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "api/memory_watch.h"

#include <atomic>

namespace lanecl::icd {

static std::atomic<const MemoryWatch *> watch{nullptr};

void watchMemory(const MemoryWatch &by) {
  watch = &by;
}

void noteMemoryMade(const void *begin, size_t bytes, const char *kind) {
  if (const MemoryWatch *const by = watch.load(std::memory_order_relaxed))
    by->made(begin, bytes, kind);
}

void noteMemoryGone(const void *begin) {
  if (const MemoryWatch *const by = watch.load(std::memory_order_relaxed))
    by->gone(begin);
}

void noteMemoryFreed(const char *function, const void *begin, size_t bytes) {
  if (const MemoryWatch *const by = watch.load(std::memory_order_relaxed))
    by->freed(function, begin, bytes);
}

} // namespace lanecl::icd
