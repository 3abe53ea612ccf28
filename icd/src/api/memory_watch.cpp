// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "api/memory_watch.h"

#include <atomic>

namespace lanecl::icd {

namespace {

// A list of the registered watches, the last one first. It is never destroyed.
struct Registered {
  const MemoryWatch &watch;
  const Registered *next;
};
std::atomic<const Registered *> last_registered{nullptr};

template <class Function> void forEachWatch(Function function) {
  for (const Registered *each = last_registered.load(std::memory_order_acquire); each; each = each->next)
    function(each->watch);
}

} // namespace

void watchMemory(const MemoryWatch &by) {
  last_registered.store(new Registered{by, last_registered.load()});
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
