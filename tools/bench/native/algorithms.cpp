// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// References for data-parallel algorithms.
#include "native.h"
#include "parallel.h"
#include "vector.h"

#include <cstring>
#include <mutex>

namespace bench::native {

// The sum of many values, each thread adding one chunk at a time.
namespace {

// Eight independent sums hide the latency of the additions, so that memory limits the speed.
float sumOfRange(const float *values, size_t count) {
  constexpr size_t kSums = 8;
  Float16 sums[kSums] = {};
  size_t i = 0;
  for (; i + kSums * kLanes <= count; i += kSums * kLanes)
    for (size_t k = 0; k < kSums; ++k)
      sums[k] += load(values + i + k * kLanes);
  Float16 sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  float total = 0;
  for (size_t lane = 0; lane < kLanes; ++lane)
    total += sum[lane];
  for (; i < count; ++i)
    total += values[i];
  return total;
}

} // namespace

void sum(const float *values, size_t count, float *result) {
  std::mutex mutex;
  float total = 0;
  inRanges(count, 64 * 1024, [&](size_t begin, size_t end) {
    const float part = sumOfRange(values + begin, end - begin);
    const std::lock_guard lock(mutex);
    total += part;
  });
  *result = total;
}

// Prefix sums in three steps: the sum of each chunk, the prefix sums of these, and then the prefix sums within each
// chunk.
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

// A histogram. Each chunk of the values has counts of its own, which are added to the result at the end.
void histogram(const uint8_t *values, size_t count, uint32_t *bins) {
  constexpr size_t kCopies = 4; // equal neighbors count in different copies and do not wait for each other
  std::mutex mutex;
  std::memset(bins, 0, 256 * sizeof *bins);
  inRanges(count, 256 * 1024, [&](size_t begin, size_t end) {
    uint32_t counts[kCopies][256] = {};
    for (size_t i = begin; i < end; ++i)
      ++counts[i % kCopies][values[i]];
    const std::lock_guard lock(mutex);
    for (const auto &copy : counts)
      for (size_t bin = 0; bin < 256; ++bin)
        bins[bin] += copy[bin];
  });
}

} // namespace bench::native
