// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Softmax and RMS normalization, one row at a time.
#include "mathematics.h"
#include "native.h"
#include "parallel.h"

#include <cmath>

namespace bench::native {

namespace {

// Computes the softmax of one row. The result holds the exponentials until their sum is known.
void softmaxRow(const float *in, float *out, size_t columns) {
  Float16 largest = load(in), sum = 0;
  for (size_t i = kLanes; i < columns; i += kLanes)
    largest = __builtin_elementwise_max(largest, load(in + i));
  const float subtracted = __builtin_reduce_max(largest);
  for (size_t i = 0; i < columns; i += kLanes) {
    const Float16 power = exp(load(in + i) - subtracted);
    store(out + i, power);
    sum += power;
  }
  float total = 0;
  for (size_t lane = 0; lane < kLanes; ++lane)
    total += sum[lane];
  const float factor = 1 / total;
  for (size_t i = 0; i < columns; i += kLanes)
    store(out + i, load(out + i) * factor);
}

} // namespace

void softmax(const float *in, float *out, size_t rows, size_t columns) {
  inRanges(rows, 16, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      softmaxRow(in + row * columns, out + row * columns, columns);
  });
}

void rmsNorm(const float *in, const float *weights, float *out, size_t rows, size_t columns, float epsilon) {
  inRanges(rows, 16, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const float *x = in + row * columns;
      float squares = 0;
#pragma omp simd reduction(+ : squares)
      for (size_t i = 0; i < columns; ++i)
        squares += x[i] * x[i];
      const float factor = 1 / std::sqrt(squares / float(columns) + epsilon);
#pragma omp simd
      for (size_t i = 0; i < columns; ++i)
        out[row * columns + i] = x[i] * factor * weights[i];
    }
  });
}

} // namespace bench::native
