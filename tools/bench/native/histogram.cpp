// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A histogram. Each chunk of the values has counts of its own, which are added to the result at the end.
#include "native.h"
#include "parallel.h"

#include <cstring>
#include <mutex>

namespace bench::native {

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
