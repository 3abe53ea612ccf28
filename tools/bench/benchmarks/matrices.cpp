// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes random matrices and their product, and compares results with it.
#include "matrices.h"
#include "../benchmark.h"

#include <cmath>
#include <map>
#include <random>

namespace bench {

namespace {

std::vector<float> randomElements(size_t count, std::mt19937 &random) {
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> elements(count);
  for (float &element : elements)
    element = distribution(random);
  return elements;
}

} // namespace

Matrices::Matrices(size_t size) : size(size), product(size * size) {
  std::mt19937 random(1);
  a = randomElements(size * size, random);
  b = randomElements(size * size, random);
  std::vector<double> sums(size);
  for (size_t row = 0; row < size; ++row) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (size_t k = 0; k < size; ++k)
      for (size_t column = 0; column < size; ++column)
        sums[column] += double(a[row * size + k]) * b[k * size + column];
    std::copy(sums.begin(), sums.end(), product.begin() + ptrdiff_t(row * size));
  }
}

// The tolerance is size * epsilon. Rounding errors of the partial sums have both signs and stay far below it; a missing
// product causes a larger error.
void Matrices::verify(std::span<const float> c, size_t pitch) const {
  const double tolerance = double(size) * 0x1p-23;
  for (size_t row = 0; row < size; ++row)
    for (size_t column = 0; column < size; ++column)
      if (const float got = c[row * pitch + column], expected = product[row * size + column];
          !(std::abs(got - expected) <= tolerance))
        throw Mismatch("row " + std::to_string(row) + ", column " + std::to_string(column) + " is " +
                       std::to_string(got) + " instead of " + std::to_string(expected));
}

const Matrices &matrices(size_t size) {
  static std::map<size_t, Matrices> cache;
  return cache.try_emplace(size, size).first->second;
}

std::vector<float> withPitch(const std::vector<float> &rows, size_t size, size_t pitch) {
  std::vector<float> result(rows.size() / size * pitch);
  for (size_t row = 0; row < rows.size() / size; ++row)
    std::copy_n(rows.begin() + ptrdiff_t(row * size), size, result.begin() + ptrdiff_t(row * pitch));
  return result;
}

} // namespace bench
