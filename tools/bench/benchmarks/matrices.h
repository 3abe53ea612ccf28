// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Square matrices with a known product, for the benchmarks of matrix multiplication.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bench {

// Two random matrices and their product, row-major and without padding. Elements lie between -1 and 1.
struct Matrices {
  explicit Matrices(size_t size);
  void verify(std::span<const float> c, size_t pitch) const; // throws Mismatch unless `c` is the product

  size_t size;
  std::vector<float> a, b;
  std::vector<float> product; // summed in double precision, then rounded
};

// Returns the matrices of that size. They are made at the first call and shared by all contestants. The function is not
// thread-safe.
const Matrices &matrices(size_t size);

// Copies rows of `size` elements to rows that are `pitch` elements apart. The elements in between are zeros.
std::vector<float> withPitch(const std::vector<float> &rows, size_t size, size_t pitch);

} // namespace bench
