// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prefix sums in three steps: the sum of each chunk, the prefix sums of these, and then the prefix sums within each
// chunk.
#include "native.h"
#include "parallel.h"
#include "vector.h"

namespace bench::native {

namespace {

constexpr size_t kChunk = 64 * 1024;

// Returns in each lane the sum of that lane and of all lanes before it.
Float16 prefixSums(Float16 x) {
  const Float16 zero = 0;
  x += __builtin_shufflevector(x, zero, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  x += __builtin_shufflevector(x, zero, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
  x += __builtin_shufflevector(x, zero, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  x += __builtin_shufflevector(x, zero, 16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7);
  return x;
}

// Returns the sum of a chunk. Four independent sums hide the latency of the additions.
float sumOf(const float *values, size_t count) {
  Float16 sums[4] = {};
  for (size_t i = 0; i < count; i += 4 * kLanes)
    for (size_t k = 0; k < 4; ++k)
      sums[k] += load(values + i + k * kLanes);
  return prefixSums((sums[0] + sums[1]) + (sums[2] + sums[3]))[kLanes - 1];
}

// Writes the prefix sums of a chunk, whose predecessors have the sum `start`.
void scanChunk(const float *values, float *result, size_t count, float start) {
  for (size_t i = 0; i < count; i += kLanes) {
    const Float16 sums = prefixSums(load(values + i)) + start;
    store(result + i, sums);
    start = sums[kLanes - 1];
  }
}

} // namespace

void scan(const float *values, float *result, size_t count) {
  std::vector<float> starts((count + kChunk - 1) / kChunk);
  inRanges(count, kChunk,
           [&](size_t begin, size_t end) { starts[begin / kChunk] = sumOf(values + begin, end - begin); });
  float total = 0;
  for (float &start : starts) {
    const float sum = start;
    start = total;
    total += sum;
  }
  inRanges(count, kChunk, [&](size_t begin, size_t end) {
    scanChunk(values + begin, result + begin, end - begin, starts[begin / kChunk]);
  });
}

} // namespace bench::native
