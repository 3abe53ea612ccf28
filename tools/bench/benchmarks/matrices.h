// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Square matrices with a known product, for the matrix multiplications.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bench {

// Row-major, without padding. Elements from -1 to 1.
struct Matrices {
  explicit Matrices(size_t size);
  void verify(std::span<const float> c, size_t pitch) const; // throws Mismatch

  size_t size;
  std::vector<float> a, b;
  std::vector<float> product; // summed in double precision
};

// One set per size, made at first use and shared by all contestants.
const Matrices &matrices(size_t size);

// Copies rows of `size` elements to a longer pitch; the rest is zero.
std::vector<float> withPitch(const std::vector<float> &rows, size_t size, size_t pitch);

} // namespace bench
