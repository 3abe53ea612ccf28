// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The Mandelbrot set, 16 pixels at a time.
#include "native.h"
#include "parallel.h"
#include "vector.h"

#include <atomic>

namespace bench::native {

namespace {

// Iterates 16 pixels together until all of them have left the circle. The operations and their order are those of the
// kernel file, so the results are bit-identical.
void mandelbrotBlock(uint32_t *iterations, Float16 cx, Float16 cy, uint32_t limit) {
  Float16 x = cx, y = cy;
  Int16 count = 0;
  for (uint32_t i = 0; i < limit; ++i) {
    const Int16 inside = fma(x, x, y * y) <= Float16(4.0f); // -1 in the lanes where it is true
    if (!__builtin_reduce_or(inside))
      break;
    count -= inside;
    const Float16 next = fma(x, x, fma(-y, y, cx));
    y = fma(x + x, y, cy);
    x = next;
  }
  std::memcpy(iterations, &count, sizeof count);
}

} // namespace

void mandelbrot(uint32_t *iterations, size_t width, size_t height, float left, float top, float step, uint32_t limit) {
  Float16 lane;
  for (size_t l = 0; l < kLanes; ++l)
    lane[l] = float(l);
  std::atomic<size_t> next_row = 0; // rows differ in cost, so each thread takes the next row when it has finished one
  onThreads(threadCount(), [&](unsigned) {
    for (size_t row = next_row++; row < height; row = next_row++)
      for (size_t x = 0; x + kLanes <= width; x += kLanes)
        mandelbrotBlock(iterations + row * width + x, fma(lane + float(x), step, left),
                        fma(Float16(float(row)), step, top), limit);
  });
}

} // namespace bench::native
