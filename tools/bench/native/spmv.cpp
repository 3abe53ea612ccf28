// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sparse matrix times a vector, one row at a time.
#include "native.h"
#include "parallel.h"

namespace bench::native {

void spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, size_t rows) {
  inRanges(rows, 512, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = starts[row]; i < starts[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
      y[row] = sum;
    }
  });
}

} // namespace bench::native
