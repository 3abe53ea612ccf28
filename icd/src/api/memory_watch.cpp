// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "api/memory_watch.h"

#include <atomic>

namespace lanecl::icd {

namespace {

constexpr size_t kMostWatches = 2; // of check/races.cpp and check/command_checks.cpp; more would be ignored
std::atomic<const MemoryWatch *> watches[kMostWatches];

template <class Function> void forEachWatch(Function function) {
  for (const std::atomic<const MemoryWatch *> &watch : watches)
    if (const MemoryWatch *const by = watch.load(std::memory_order_relaxed))
      function(*by);
}

} // namespace

void watchMemory(const MemoryWatch &by) {
  for (std::atomic<const MemoryWatch *> &watch : watches)
    if (!watch)
      return watch.store(&by);
}

void noteMemoryMade(const void *begin, size_t bytes, const char *kind) {
  forEachWatch([&](const MemoryWatch &by) { by.made(begin, bytes, kind); });
}

void noteMemoryGone(const void *begin, size_t bytes) {
  forEachWatch([&](const MemoryWatch &by) { by.gone(begin, bytes); });
}

void noteMemoryFreed(const char *function, const void *begin, size_t bytes) {
  forEachWatch([&](const MemoryWatch &by) { by.freed(function, begin, bytes); });
}

void noteMemoryObjectGone(const void *object) {
  forEachWatch([&](const MemoryWatch &by) {
    if (by.object_gone)
      by.object_gone(object);
  });
}

} // namespace lanecl::icd
