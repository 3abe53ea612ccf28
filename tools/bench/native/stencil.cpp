// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One step of heat flow, layer by layer.
#include "native.h"
#include "parallel.h"

#include <cmath>
#include <cstring>

namespace bench::native {

void heat(const float *in, float *out, size_t width, size_t height, size_t depth, float rate) {
  const size_t plane = width * height;
  inRanges(depth, 1, [=](size_t z, size_t) {
    for (size_t y = 0; y < height; ++y) {
      const float *row = in + z * plane + y * width;
      float *result = out + z * plane + y * width;
      if (z == 0 || z == depth - 1 || y == 0 || y == height - 1) {
        std::memcpy(result, row, width * sizeof(float));
        continue;
      }
      result[0] = row[0];
#pragma omp simd
      for (size_t x = 1; x < width - 1; ++x) {
        const float around =
            row[x - 1] + row[x + 1] + row[x - width] + row[x + width] + row[x - plane] + row[x + plane];
        result[x] = std::fma(rate, std::fma(-6.0f, row[x], around), row[x]);
      }
      result[width - 1] = row[width - 1];
    }
  });
}

} // namespace bench::native
