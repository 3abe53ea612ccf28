// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A library of a program that uses another copy of oneTBB than the one LaneCL was linked with.
#include <atomic>
#include <oneapi/tbb/parallel_for.h>

extern "C" [[gnu::visibility("default")]] long sumInParallel(int end) {
  std::atomic<long> sum{0};
  tbb::parallel_for(0, end, [&](int i) { sum += i; });
  return sum;
}
