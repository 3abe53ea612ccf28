// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/kernels/race_records.h"

#include <cstdio>
#include <mutex>
#include <utility>

#include <sys/mman.h>

namespace lanecl::icd {
namespace {

constexpr uint64_t kRecordBytes = kLinesAt + kRegionWords / kLineWords * sizeof(Line);
// The most regions that get records, so that address space is left for the program.
constexpr int kMostRegions = 64;

// Reserves the records of a region. Returns null if there is no address space, as `ulimit -v` may forbid it.
std::byte *reserveRecords() {
  void *const memory =
      mmap(nullptr, kRecordBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte *>(memory);
}

// Records that were reserved when the checks started, for the first region.
std::byte *first_records = nullptr;

// Returns to the system the pages of an array of records that hold those from number `first` to before `end` only.
template <class Record> void forget(Record *all, uint64_t first, uint64_t end) {
  constexpr uint64_t kPage = 4096;
  const uint64_t begin = (reinterpret_cast<uintptr_t>(all + first) + kPage - 1) / kPage * kPage;
  const uint64_t past = reinterpret_cast<uintptr_t>(all + end) / kPage * kPage;
  if (begin < past)
    madvise(reinterpret_cast<void *>(begin), past - begin, MADV_DONTNEED);
}

} // namespace

bool makeRaceRecords(uint64_t region) {
  static std::mutex mutex;
  static int made = 0;
  static std::atomic<bool> has_failed{false};
  if (has_failed.load(std::memory_order_relaxed))
    return false;
  const std::lock_guard lock(mutex);
  if (has_failed || race_regions[region].load(std::memory_order_relaxed))
    return !has_failed;
  std::byte *const records = first_records         ? std::exchange(first_records, nullptr)
                             : made < kMostRegions ? reserveRecords()
                                                   : nullptr;
  race_regions[region].store(records, std::memory_order_release);
  ++made;
  has_failed = !records;
  if (has_failed)
    std::fprintf(stderr,
                 "LaneCL check: data races are not checked in all memory, because there is no address space for "
                 "more records; raise the limit on virtual memory (ulimit -v)\n");
  return !has_failed;
}

bool reserveFirstRaceRecords() {
  first_records = reserveRecords();
  return first_records != nullptr;
}

void forgetRaceRecords(const void *begin, size_t bytes) {
  const uint64_t first = reinterpret_cast<uintptr_t>(begin) / 4,
                 end = std::min(first + bytes / 4, kRegions * kRegionWords);
  for (uint64_t word = first; word < end; word = (word / kRegionWords + 1) * kRegionWords) {
    if (!race_regions[word / kRegionWords].load(std::memory_order_acquire))
      continue;
    const uint64_t from = word % kRegionWords, to = from + std::min(end - word, kRegionWords - from);
    forget(recordsOf<Cell>(word, 0), from, to);
    forget(recordsOf<CellSites>(word, kSitesAt), from, to);
  }
}

} // namespace lanecl::icd
