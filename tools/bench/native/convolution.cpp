// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The 5 x 5 convolution on a buffer.
#include "native.h"
#include "parallel.h"

#include <cmath>

namespace bench::native {

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
