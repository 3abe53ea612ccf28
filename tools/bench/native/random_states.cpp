// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Many random generators side by side, each of which is one dependency chain.
#include "native.h"
#include "parallel.h"

namespace bench::native {

namespace {

constexpr size_t kGroup = 64; // fills four AVX-512 registers, which hides the latency of each dependency chain

void runGroup(uint32_t *states, size_t first, uint32_t rounds) {
  uint32_t x[kGroup];
  for (size_t i = 0; i < kGroup; ++i)
    x[i] = 2654435761u * uint32_t(first + i + 1);
  for (uint32_t round = 0; round < rounds; ++round)
#pragma omp simd
    for (size_t i = 0; i < kGroup; ++i) {
      x[i] ^= x[i] << 13;
      x[i] ^= x[i] >> 17;
      x[i] ^= x[i] << 5;
    }
  for (size_t i = 0; i < kGroup; ++i)
    states[first + i] = x[i];
}

} // namespace

void randomStates(uint32_t *states, size_t count, uint32_t rounds) {
  inRanges(count, kGroup, [=](size_t begin, size_t) { runGroup(states, begin, rounds); });
}

} // namespace bench::native
