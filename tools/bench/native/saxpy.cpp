// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// y += a * x, which memory bandwidth limits.
#include "native.h"
#include "parallel.h"

namespace bench::native {

void saxpy(float a, const float *__restrict x, float *__restrict y, size_t count) {
  inRanges(count, 64 * 1024, [=](size_t begin, size_t end) {
#pragma omp simd
    for (size_t i = begin; i < end; ++i)
      y[i] = a * x[i] + y[i];
  });
}

} // namespace bench::native
