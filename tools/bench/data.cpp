// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random inputs with fixed seeds.
#include "data.h"

#include <random>

namespace bench {

std::vector<float> randomFloats(size_t count, float low, float high, unsigned seed) {
  std::mt19937 random(seed);
  return generate(count, [&](size_t) { return low + (high - low) * float(random() >> 8) * 0x1p-24f; });
}

std::vector<uint32_t> randomWords(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  return generate(count, [&](size_t) { return uint32_t(random()); });
}

} // namespace bench
