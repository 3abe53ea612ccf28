// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The references in C++: threads on all processors, registers as wide as the program is compiled for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench::native {

// "avx512", "avx2" or "sse2": the widest vectors of the references.
const char *instructionSet();

void saxpy(float a, const float *x, float *y, size_t count);

float sum(const float *values, size_t count);

// Inclusive prefix sums; count is a multiple of 64.
void scan(const float *values, float *result, size_t count);

// x = 5 x + (the sum of x over `width` neighbours), `rounds` times, for each of 64 / width values of a work-item, which
// start at in[i] + 0, 1, ... and end combined by exclusive or; on the calling thread.
void repeatSubGroupSum(unsigned width, const uint32_t *in, uint32_t *out, size_t count, uint32_t rounds);

// Row-major matrices without padding: c[m][n] = a[m][k] * b[k][n].
void sgemm(const float *a, const float *b, float *c, size_t m, size_t n, size_t k);

// The same with tiles in plain loops, as one writes them in half an hour: square matrices, n a multiple of 64.
void sgemmTiled(const float *a, const float *b, float *c, size_t n);

// Iterations until a point leaves the circle, at most `limit`, for pixels (x, y) at (left + x * step, top + y * step).
void mandelbrot(uint32_t *iterations, size_t width, size_t height, float left, float top, float step, uint32_t limit);

// z[i] = a * x[i] + y[i]
void multiplyAdd(float a, const float *x, const float *y, float *z, size_t count);

// out[i] = a[i] * a[i] + |b[i]|
void squareAddAbsolute(const float *a, const float *b, float *out, size_t count);

struct Particle {
  float x, y, z, mass, vx, vy, vz, age;
};
void moveParticles(const Particle *before, Particle *after, size_t count, float dt);

// Of each number's generator (xorshift) after `rounds`; count is a multiple of 64.
void randomStates(uint32_t *states, size_t count, uint32_t rounds);

// A step of heat flow through cells in three dimensions.
void heat(const float *in, float *out, size_t width, size_t height, size_t depth, float rate);

// Both sides are multiples of 16.
void transpose(const float *in, float *out, size_t width, size_t height);

// Bodies are x, y, z, mass; results x, y, z, 0; count is a multiple of 16.
void accelerations(const float *bodies, float *result, size_t count, float softening);

// Count is a multiple of 16.
void blackScholes(const float *prices, const float *strikes, const float *years, float *calls, float *puts,
                  size_t count, float rate, float volatility);

// A matrix in compressed rows: those of `row` are starts[row] to starts[row + 1].
void spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, size_t rows);

// `in` has two more pixels on each side; the width is a multiple of 64.
void convolve5x5(const float *in, const float *weights, float *out, size_t width, size_t height);

void histogram(const uint8_t *values, size_t count, uint32_t *bins);

// Of the messages (0, tail), (1, tail), ...: one word of all digests after the other; count is a multiple of 16.
void md5OfNumbers(uint32_t tail, uint32_t *digests, size_t count);
void sha256OfNumbers(uint32_t tail, uint32_t *digests, size_t count);

// Of each row; columns are a multiple of 16.
void softmax(const float *in, float *out, size_t rows, size_t columns);

// Each row divided by the root of its mean square, and multiplied by the weights.
void rmsNorm(const float *in, const float *weights, float *out, size_t rows, size_t columns, float epsilon);

} // namespace bench::native
