// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// References that memory limits.
#include "native.h"
#include "parallel.h"

#include <cmath>
#include <cstring>

namespace bench::native {

// y += a * x, which memory bandwidth limits.
void saxpy(float a, const float *__restrict x, float *__restrict y, size_t count) {
  inRanges(count, 64 * 1024, [=](size_t begin, size_t end) {
#pragma omp simd
    for (size_t i = begin; i < end; ++i)
      y[i] = a * x[i] + y[i];
  });
}

// Computations that use each element once, which memory bandwidth limits.
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

// Moves an array of structures.
void moveParticles(const Particle *before, Particle *after, size_t count, float dt) {
  inRanges(count, 4096, [=](size_t begin, size_t end) {
#pragma omp simd
    for (size_t i = begin; i < end; ++i) {
      Particle p = before[i];
      p.vy = std::fma(-9.81f, dt, p.vy);
      p.x = std::fma(p.vx, dt, p.x);
      p.y = std::fma(p.vy, dt, p.y);
      p.z = std::fma(p.vz, dt, p.z);
      p.vy = p.y < 0 ? p.vy * -0.5f : p.vy;
      p.y = p.y < 0 ? -p.y : p.y;
      p.age += dt;
      after[i] = p;
    }
  });
}

// The transpose of a matrix, tile by tile.
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

// One step of heat flow, layer by layer.
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
