// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computations that use each element once, which memory bandwidth limits.
#include "native.h"
#include "parallel.h"

#include <cmath>

namespace bench::native {

void multiplyAdd(float a, const float *x, const float *y, float *z, size_t count) {
  inRanges(count, 64 * 1024, [=](size_t begin, size_t end) {
#pragma omp simd
    for (size_t i = begin; i < end; ++i)
      z[i] = std::fma(a, x[i], y[i]);
  });
}

void squareAddAbsolute(const float *a, const float *b, float *out, size_t count) {
  inRanges(count, 64 * 1024, [=](size_t begin, size_t end) {
#pragma omp simd
    for (size_t i = begin; i < end; ++i)
      out[i] = std::fma(a[i], a[i], std::abs(b[i]));
  });
}

} // namespace bench::native
