// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The sum of many values, each thread adding one chunk at a time.
#include "native.h"
#include "parallel.h"
#include "vector.h"

#include <mutex>

namespace bench::native {

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

float sum(const float *values, size_t count) {
  std::mutex mutex;
  float total = 0;
  inRanges(count, 64 * 1024, [&](size_t begin, size_t end) {
    const float part = sumOfRange(values + begin, end - begin);
    const std::lock_guard lock(mutex);
    total += part;
  });
  return total;
}

} // namespace bench::native
