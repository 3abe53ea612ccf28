// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The records of accesses to memory by which races are found; races.cpp describes how.
#pragma once

#include "vectorizer/contract/check_site.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

// The record of one kind of access, read or write, of four bytes. Its 64 bits are:
//   63…30  time
//   29…18  work-item within its work-group; one of them, if there were several
//   17…8   barriers of the work-item's sub-group since that time began
//   7…4    flags: volatile, several sub-groups, several lanes, atomic
//   3…0    which of the four bytes
class Mark {
public:
  static constexpr uint64_t kMostBarriers = (1 << 10) - 1, kItems = 1 << 12, kTimes = uint64_t(1) << 34;
  static constexpr uint64_t kAtomic = 16, kOfLanes = 32, kOfSubGroups = 64, kVolatile = 128;

  Mark() = default;
  explicit Mark(uint64_t bits) : bits(bits) {}
  Mark(uint64_t time, uint64_t item, uint64_t barriers, uint32_t kind)
      : bits(time << 30 | item << 18 | barriers << 8 | ((kind & abi::kAtomicAccess) != 0 ? kAtomic : 0) |
             ((kind & abi::kVolatileAccess) != 0 ? kVolatile : 0)) {
    assert(time < kTimes && item < kItems && barriers <= kMostBarriers && "a number would overflow into the next one");
  }

  uint64_t time() const { return bits >> 30; }
  uint64_t item() const { return bits >> 18 & (kItems - 1); }
  uint64_t barriers() const { return bits >> 8 & kMostBarriers; } // the sub-group's own since time() began
  uint64_t bytes() const { return bits & 15; }
  uint64_t atomicity() const { return bits & (kAtomic | kVolatile); }
  // Whether the two accesses do not race because of atomicity. A volatile access counts as atomic if the other one is
  // atomic: OpenCL 1.2 has no atomic loads and stores.
  bool isAtomicBeside(Mark other) const {
    return atomicity() != 0 && other.atomicity() != 0 && (isAtomic() || other.isAtomic());
  }
  bool isAtomic() const { return bits & kAtomic; }
  bool isOfLanes() const { return bits & kOfLanes; }         // several work-items of the sub-group made the access
  bool isOfSubGroups() const { return bits & kOfSubGroups; } // work-items of several sub-groups made the access
  Mark with(uint64_t more) const { return Mark(bits | more); }
  Mark ofLane(unsigned lane) const { return Mark(bits + (uint64_t(lane) << 18)); } // only for the mark of lane 0
  // Whether this mark of reads needs no change when `other` reads, too: several sub-groups have read the same bytes at
  // the same time, so that one work-item more makes no difference.
  bool covers(Mark other) const {
    constexpr uint64_t kCompared = ~((kItems - 1) << 18 | kMostBarriers << 8 | kOfLanes);
    return (bits & kCompared) == ((other.bits & kCompared) | kOfSubGroups);
  }

  uint64_t bits = 0;
};

// The records of one word. If several threads access it, the last one's marks remain.
struct Cell {
  std::atomic<uint64_t> written, read; // the bits of a Mark; 0: no access
};

// The places in the program that have made the marks of a cell. The site is stored before its mark. Sites are in
// generated code, which stays loaded while races are looked for.
struct CellSites {
  std::atomic<const abi::CheckSite *> written, read;
};

// Remembers for each sixteen words in a row which of them several sub-groups have read at one time, with no write since
// then. Reading such words again cannot add anything, so it is skipped. The lower 16 bits have one bit for each word,
// the upper 48 the time. This speeds up tables and tiles, which all sub-groups read.
//
// Loading and storing a line need not be one step. A time belongs to one work-group, which one thread at a time runs,
// so only that thread stores lines with this time. If two threads store one line, one of them forgets which words it
// has read. It then compares its next reads of them with their cells, which only takes longer.
inline constexpr uint64_t kLineWords = 16;
using Line = std::atomic<uint64_t>;

// The address space of a process, 2^47 bytes, is divided into regions of 64 GiB. A region gets records for all of its
// words when one of them is accessed for the first time: arrays of cells, of their sites and of lines, which are
// committed on first touch. Each word has a number, address / 4.
inline constexpr uint64_t kRegionWords = uint64_t(1) << 34, kRegions = (uint64_t(1) << 45) / kRegionWords;
inline constexpr uint64_t kSitesAt = kRegionWords * sizeof(Cell),
                          kLinesAt = kSitesAt + kRegionWords * sizeof(CellSites);
inline std::atomic<std::byte *> race_regions[kRegions]; // null: no records

inline uint64_t regionOf(uint64_t address) {
  return address / 4 / kRegionWords;
}

// The following functions return the records of a word. Its region must have records.
template <class Record> inline Record *recordsOf(uint64_t word, uint64_t at) {
  std::byte *const records = race_regions[word / kRegionWords].load(std::memory_order_acquire);
  assert(records && "the region of the word has no records");
  return reinterpret_cast<Record *>(records + at);
}

inline Cell &cellOf(uint64_t word) {
  return recordsOf<Cell>(word, 0)[word % kRegionWords];
}

inline CellSites &sitesOf(uint64_t word) {
  return recordsOf<CellSites>(word, kSitesAt)[word % kRegionWords];
}

inline Line &lineOf(uint64_t word) {
  return recordsOf<Line>(word, kLinesAt)[word % kRegionWords / kLineWords];
}

// Gives the region records if it has none yet. Returns false if there are none to be had.
bool makeRaceRecords(uint64_t region);

// Whether the words from address `begin` to before `end`, which are in one region or in two, have records.
inline bool haveRecords(uint64_t begin, uint64_t end) {
  for (const uint64_t address : {begin, end - 1}) {
    const uint64_t region = regionOf(address);
    if (region >= kRegions || (!race_regions[region].load(std::memory_order_relaxed) && !makeRaceRecords(region)))
      return false;
  }
  return true;
}

constexpr uint64_t bitOf(uint64_t word) {
  return uint64_t(1) << word % kLineWords;
}

// Records that several sub-groups have read the word at that time.
inline void setRead(uint64_t word, uint64_t time) {
  Line &line = lineOf(word);
  const uint64_t before = line.load(std::memory_order_relaxed);
  const uint64_t known = before >> kLineWords == time ? before : time << kLineWords;
  line.store(known | bitOf(word), std::memory_order_relaxed);
}

// Drops what setRead() has recorded of the word, because it is written.
inline void setWritten(uint64_t word, uint64_t time) {
  Line &line = lineOf(word);
  const uint64_t before = line.load(std::memory_order_relaxed);
  if (before >> kLineWords == time && (before & bitOf(word)) != 0)
    line.store(before & ~bitOf(word), std::memory_order_relaxed);
}

// Whether setRead() has recorded all words from `first` to before `end` at that time.
inline bool areKnownRead(uint64_t first, uint64_t end, uint64_t time) {
  for (uint64_t word = first; word < end; word = (word / kLineWords + 1) * kLineWords) {
    const uint64_t last = std::min(end - 1, word | (kLineWords - 1));
    const uint64_t bits = bitOf(last) * 2 - bitOf(word), line = lineOf(word).load(std::memory_order_relaxed);
    if (line >> kLineWords != time || (bits & ~line) != 0)
      return false;
  }
  return true;
}

// Reserves the records of the first region. Returns false if there is no address space for them.
bool reserveFirstRaceRecords();
// Drops the records of memory that the program has freed.
void forgetRaceRecords(const void *begin, size_t bytes);

} // namespace lanecl::icd
