// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// References for kernels of neural networks, pictures and sparse matrices.
#include "mathematics.h"
#include "native.h"
#include "parallel.h"

#include <cmath>

namespace bench::native {

// Softmax and RMS normalization, one row at a time.
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

// A sparse matrix times a vector, one row at a time.
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

// The 5 x 5 convolution on a buffer.
namespace {

// The number of neighboring pixels whose sums stay in registers while all 25 weights are applied.
constexpr size_t kBlock = 64;

} // namespace

void convolve5x5(const float *in, const float *weights, float *out, size_t width, size_t height) {
  inRanges(height, 4, [=](size_t begin, size_t end) {
    for (size_t y = begin; y < end; ++y)
      for (size_t x = 0; x < width; x += kBlock) {
        float sums[kBlock] = {};
        for (size_t j = 0; j < 5; ++j)
          for (size_t i = 0; i < 5; ++i)
#pragma omp simd
            for (size_t lane = 0; lane < kBlock; ++lane)
              sums[lane] = std::fma(weights[j * 5 + i], in[(y + j) * (width + 4) + x + i + lane], sums[lane]);
#pragma omp simd
        for (size_t lane = 0; lane < kBlock; ++lane)
          out[y * width + x + lane] = sums[lane];
      }
  });
}

} // namespace bench::native
