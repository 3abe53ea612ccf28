// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Heuristics for local sizes. Work-groups must be long enough to hide the cost of starting them, and numerous enough to
// keep all threads busy.

#include "program/local_size.h"

#include "vectorizer/vectorizer.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace lanecl::icd {
namespace {

constexpr uint64_t kLongestRow = 256;
constexpr uint64_t kShortestRow = 64; // starting a work-group takes a noticeable part of the time of a shorter row
constexpr uint64_t kLanes = 16;       // rows are multiples of this where possible
// Many work-groups a thread, so that all threads finish at about the same time.
constexpr uint64_t kGroupsPerThread = 8;
constexpr uint64_t kLongestFreeRow = 2048;
// The unit of row lengths if a launch has several rows.
constexpr uint64_t kMostLanes = vectorizer::LaunchClass::kRowUnit;

// Returns the largest divisor of `size` up to `limit` that is a multiple of `multiple`, or 0 when there is none.
uint64_t largestDivisor(uint64_t size, uint64_t limit, uint64_t multiple) {
  assert(size != 0 && multiple != 0 && "every number divides 0, and 0 divides none");
  for (uint64_t candidate = limit / multiple * multiple; candidate > 0; candidate -= multiple)
    if (size % candidate == 0)
      return candidate;
  return 0;
}

// Returns how many work-items a work-group should have so that there are enough work-groups for all threads.
uint64_t itemsPerGroup(const Size3 &global, unsigned threads, uint64_t least, uint64_t most) {
  assert(least <= most && "no number is in this range");
  const uint64_t total = global[0] * global[1] * global[2];
  return std::clamp(total / (kGroupsPerThread * std::max(threads, 1u)), least, most);
}

// Returns the quotient, rounded up, of numbers from 1 on. Their sum may overflow.
uint64_t quotientUp(uint64_t number, uint64_t divisor) {
  return (number - 1) / divisor + 1;
}

// Returns how many of `size` rows a work-group takes if it has room for `room`: as many as fit, or the largest divisor
// of `size` below that if it is more than half as large.
uint64_t rowsPerGroup(uint64_t size, uint64_t room) {
  room = std::clamp<uint64_t>(room, 1, size);
  const uint64_t divisor = largestDivisor(size, room, 1);
  return divisor * 2 > room ? divisor : room;
}

} // namespace

Size3 chooseLocalSize(const Size3 &global, unsigned threads, bool uniform) {
  const uint64_t target = itemsPerGroup(global, threads, kShortestRow, kLongestRow);
  Size3 local{1, 1, 1};
  if (const uint64_t row = largestDivisor(global[0], std::min(target, global[0]), kLanes))
    local[0] = row;
  else if (global[0] <= target)
    local[0] = global[0];
  else if (uniform)
    local[0] = largestDivisor(global[0], target, 1);
  else
    local[0] = target / kLanes * kLanes; // the last work-group of each row is smaller
  // If rows are short, several of them make a work-group.
  for (int d = 1; d < 3; ++d) {
    const uint64_t room = target / (local[0] * local[1] * local[2]);
    assert(local[d] == 1 && "the sizes of the dimensions are chosen one after the other");
    if (room > 1)
      local[d] = std::max<uint64_t>(largestDivisor(global[d], std::min(room, global[d]), 1), 1);
  }
  assert(local[0] * local[1] * local[2] <= kLongestRow && (!uniform || global[0] % local[0] == 0) &&
         "the work-group is too large, or the last one would be smaller");
  return local;
}

Size3 freeRows(const Size3 &global, unsigned threads) {
  // The target is a power of two, so that launches of about the same size get rows of the same length. A few work-items
  // take as long as one, because they run in the lanes of one sub-group. A row may therefore be as short as one
  // sub-group.
  const uint64_t target = std::bit_floor(itemsPerGroup(global, threads, kMostLanes, kLongestFreeRow));
  Size3 rows{0, 0, 0};
  for (int d = 0; d < 3; ++d) {
    const bool is_whole_range = global[d] > 1 && global[d] == global[0] * global[1] * global[2];
    if (global[d] < kShortestRow && !is_whole_range)
      continue;
    const uint64_t pieces = quotientUp(global[d], target);
    const uint64_t row = quotientUp(global[d], pieces);
    rows[d] = pieces == 1 ? row : (row + kMostLanes - 1) / kMostLanes * kMostLanes;
  }
  return rows;
}

Size3 freeLocalSize(const Size3 &global, unsigned threads) {
  if (const uint64_t row = freeRows(global, threads)[0])
    return {row, 1, 1};
  const uint64_t target = itemsPerGroup(global, threads, kShortestRow, kLongestRow);
  const uint64_t y = rowsPerGroup(global[1], target / global[0]);
  return {global[0], y, rowsPerGroup(global[2], target / (global[0] * y))};
}

} // namespace lanecl::icd
