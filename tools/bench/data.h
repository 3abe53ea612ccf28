// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the inputs of the benchmarks. They are random but the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bench {

// Returns the vector of function(0), function(1), …, function(count - 1).
template <typename Function> auto generate(size_t count, Function function) {
  std::vector<decltype(function(size_t(0)))> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = function(i);
  return values;
}

inline std::vector<uint32_t> randomWords(size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  return generate(count, [&](size_t) { return uint32_t(random()); });
}

inline std::vector<float> randomFloats(size_t count, float low = -1, float high = 1, unsigned seed = 1) {
  std::mt19937 random(seed);
  return generate(count, [&](size_t) { return low + (high - low) * float(random() >> 8) * 0x1p-24f; });
}

} // namespace bench
