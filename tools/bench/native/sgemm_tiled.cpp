// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The matrix multiplication that one writes in half an hour: tiles and plain loops, which the compiler vectorizes.
#include "native.h"
#include "parallel.h"

#include <cstring>

namespace bench::native {

namespace {

constexpr size_t kTile = 64;

// The rows of B go through the cache once for a block of rows of A. The columns of C are the vector lanes.
void multiplyRows(const float *__restrict a, const float *__restrict b, float *__restrict c, size_t n, size_t row_begin,
                  size_t row_end) {
  std::memset(c + row_begin * n, 0, (row_end - row_begin) * n * sizeof(float));
  for (size_t k0 = 0; k0 < n; k0 += kTile)
    for (size_t column = 0; column < n; column += kTile)
      for (size_t row = row_begin; row < row_end; ++row) {
        float sums[kTile];
        std::memcpy(sums, c + row * n + column, sizeof sums);
        for (size_t k = k0; k < k0 + kTile; ++k)
#pragma omp simd
          for (size_t j = 0; j < kTile; ++j)
            sums[j] += a[row * n + k] * b[k * n + column + j];
        std::memcpy(c + row * n + column, sums, sizeof sums);
      }
}

} // namespace

void sgemmTiled(const float *a, const float *b, float *c, size_t n) {
  inRanges(n, 16, [&](size_t begin, size_t end) { multiplyRows(a, b, c, n, begin, end); });
}

} // namespace bench::native
