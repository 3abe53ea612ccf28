// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reserves the shadow memory, and marks memory in it on behalf of the host.
#include "api/shadow.h"

#include "icd/check_rules.h"
#include "icd/settings.h"
#include "settings/made_once.h"
#include "vectorizer/check.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>

#include <sys/mman.h>

namespace lanecl::icd {
namespace {

constexpr uint64_t kBytes = uint64_t(1) << vectorizer::kShadowBits;
// Reserved before the start and past the end of the shadow, for accesses that leave their memory there.
constexpr uint64_t kMargin = uint64_t(1) << 40;
constexpr uint64_t kPage = 4096;
// Longer memory is not marked, and counts as initialized: its shadow would take as much memory again. Programs hardly
// use all of such an allocation.
constexpr size_t kMostUnwritten = size_t(1) << 30;

// The address space of the shadow, which is committed on first touch.
class Reservation {
public:
  explicit Reservation(bool wanted);
  ~Reservation() {
    if (begin_)
      munmap(begin_ - kMargin, kBytes + 2 * kMargin);
  }
  Reservation(const Reservation &) = delete;
  Reservation &operator=(const Reservation &) = delete;
  std::byte *begin() const { return begin_; } // null: not wanted, or there is no room in the address space

private:
  std::byte *begin_ = nullptr;
};

Reservation::Reservation(bool wanted) {
  if (!wanted)
    return;
  void *memory =
      mmap(nullptr, kBytes + 2 * kMargin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr,
                 "LaneCL check: reads of uninitialized memory are not checked, because there is no address space for "
                 "their records; raise the limit on virtual memory (ulimit -v)\n");
    return;
  }
  madvise(memory, kBytes + 2 * kMargin, MADV_NOHUGEPAGE); // small variables would take 2 MiB each
  madvise(memory, kBytes + 2 * kMargin, MADV_DONTDUMP);
  begin_ = static_cast<std::byte *>(memory) + kMargin;
}

// Returns the shadow, or null. The first call reserves it, before the first memory is made.
std::byte *shadow() {
  static constinit MadeOnce<Reservation> made;
  return made.get([] { return Reservation(isChosenGroup(settings().check, "initialization")); }).begin();
}

} // namespace

bool shadowsAllMemory() {
  static constinit MadeOnce<bool> of_everything;
  return of_everything.get(
      [] { return shadow() != nullptr && reachOf(settings().check, "initialization") == CheckReach::Everything; });
}

uint64_t shadowBase() {
  return reinterpret_cast<uintptr_t>(shadow());
}

std::byte *shadowOf(const void *memory) {
  assert(shadow() && "memory is marked without a shadow");
  return shadow() + (reinterpret_cast<uintptr_t>(memory) & (kBytes - 1));
}

// Sets all bits of the shadow, for both kinds of shadow.
static void fillMarks(const void *memory, size_t bytes) {
  if (bytes != 0 && bytes <= kMostUnwritten)
    std::memset(shadowOf(memory), 0xff, bytes);
}

void markLocalUnwritten(const void *memory, size_t bytes) {
  if (shadow())
    fillMarks(memory, bytes);
}

void markUnwritten(const void *memory, size_t bytes) {
  if (shadowsAllMemory())
    fillMarks(memory, bytes);
}

// Whole pages of the shadow are returned to the system instead of being cleared, so that they take no room.
void markWritten(const void *memory, size_t bytes) {
  if (bytes == 0 || !shadowsAllMemory())
    return;
  std::byte *const begin = shadowOf(memory), *const end = begin + bytes;
  const auto up = [](std::byte *p) { return p + (kPage - reinterpret_cast<uintptr_t>(p) % kPage) % kPage; };
  std::byte *const first = std::min(up(begin), end);
  std::byte *const last = std::max(first, end - reinterpret_cast<uintptr_t>(end) % kPage);
  std::memset(begin, 0, size_t(first - begin));
  if (last != first)
    madvise(first, size_t(last - first), MADV_DONTNEED);
  std::memset(last, 0, size_t(end - last));
}

void copyMarks(void *target, const void *source, size_t bytes) {
  if (bytes != 0 && shadowsAllMemory())
    std::memcpy(shadowOf(target), shadowOf(source), bytes);
}

} // namespace lanecl::icd
