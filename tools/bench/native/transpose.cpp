// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The transpose of a matrix, tile by tile.
#include "native.h"
#include "parallel.h"

namespace bench::native {

namespace {

constexpr size_t kTile = 16;

// Transposes a tile through a local copy, so that whole cache lines are read and whole ones are written.
void transposeTile(const float *in, float *out, size_t width, size_t height) {
  float tile[kTile][kTile];
  for (size_t y = 0; y < kTile; ++y)
#pragma omp simd
    for (size_t x = 0; x < kTile; ++x)
      tile[x][y] = in[y * width + x];
  for (size_t x = 0; x < kTile; ++x)
#pragma omp simd
    for (size_t y = 0; y < kTile; ++y)
      out[x * height + y] = tile[x][y];
}

} // namespace

void transpose(const float *in, float *out, size_t width, size_t height) {
  inRanges(height / kTile, 1, [=](size_t block, size_t) {
    const size_t row = block * kTile;
    for (size_t column = 0; column < width; column += kTile)
      transposeTile(in + row * width + column, out + column * height + row, width, height);
  });
}

} // namespace bench::native
