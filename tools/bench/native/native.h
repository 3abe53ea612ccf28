// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The references in C++, which the benchmarks compare the platforms with. They use all processors and vectors as wide
// as the program is compiled for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench::native {

// Returns the widest vectors that the references are compiled for: "avx512", "avx2" or "sse2".
const char *instructionSet();

// y[i] += a * x[i]
void saxpy(float a, const float *x, float *y, size_t count);

// Computes the sum of all values. The order of the additions is not fixed.
void sum(const float *values, size_t count, float *result);

// Computes the inclusive prefix sums: result[i] = values[0] + … + values[i]. `count` is a multiple of 64.
void scan(const float *values, float *result, size_t count);

// Imitates a kernel that reduces over a sub-group of `width` work-items, on the calling thread. A work-item has 64 /
// width values, which start at in[i], in[i] + 1, …. In each of `rounds` rounds a value x becomes 5 x + (the sum of x
// over the sub-group). out[i] is the exclusive or of the work-item's values at the end.
void repeatSubGroupSum(unsigned width, const uint32_t *in, uint32_t *out, size_t count, uint32_t rounds);

// Multiplies row-major matrices without padding: c[m][n] = a[m][k] * b[k][n].
void sgemm(const float *a, const float *b, float *c, size_t m, size_t n, size_t k);

// Multiplies square matrices with tiles and plain loops, as one writes them in half an hour. `n` is a multiple of 64.
void sgemmTiled(const float *a, const float *b, float *c, size_t n);

// Counts the iterations until a point leaves the circle, at most `limit`. Pixel (x, y) is the point (left + x * step,
// top + y * step).
void mandelbrot(uint32_t *iterations, size_t width, size_t height, float left, float top, float step, uint32_t limit);

// z[i] = a * x[i] + y[i]
void multiplyAdd(float a, const float *x, const float *y, float *z, size_t count);

// out[i] = a[i] * a[i] + |b[i]|
void squareAddAbsolute(const float *a, const float *b, float *out, size_t count);

struct Particle {
  float x, y, z, mass, vx, vy, vz, age;
};
// Moves each particle for the time `dt` under gravity. A particle that reaches the ground, y = 0, bounces.
void moveParticles(const Particle *before, Particle *after, size_t count, float dt);

// Advances each number's random generator (xorshift) by `rounds` steps. `count` is a multiple of 64.
void randomStates(uint32_t *states, size_t count, uint32_t rounds);

// Does one step of heat flow between the cells of a box.
void heat(const float *in, float *out, size_t width, size_t height, size_t depth, float rate);

// Transposes a matrix both of whose sides are multiples of 16.
void transpose(const float *in, float *out, size_t width, size_t height);

// Computes the accelerations of bodies by gravity. A body is x, y, z and its mass; a result is x, y, z and 0. `count`
// is a multiple of 16.
void accelerations(const float *bodies, float *result, size_t count, float softening);

// Computes the values of European call and put options. `count` is a multiple of 16.
void blackScholes(const float *prices, const float *strikes, const float *years, float *calls, float *puts,
                  size_t count, float rate, float volatility);

// Multiplies a sparse matrix and a vector. The elements of `row` have the indices from starts[row] up to, but not
// including, starts[row + 1].
void spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, size_t rows);

// Filters a picture with 5 x 5 weights. `in` has two more pixels than `out` on each side; `width` is a multiple of 64.
void convolve5x5(const float *in, const float *weights, float *out, size_t width, size_t height);

// Counts how often each of the 256 values occurs.
void histogram(const uint8_t *values, size_t count, uint32_t *bins);

// Hash the messages (0, tail), (1, tail), … of two words each. `digests` first holds word 0 of all digests, then word 1
// of all, and so on. `count` is a multiple of 16.
void md5OfNumbers(uint32_t tail, uint32_t *digests, size_t count);
void sha256OfNumbers(uint32_t tail, uint32_t *digests, size_t count);

// Computes the softmax of each row. `columns` is a multiple of 16.
void softmax(const float *in, float *out, size_t rows, size_t columns);

// Divides each row by the root of its mean square and multiplies it by the weights.
void rmsNorm(const float *in, const float *weights, float *out, size_t rows, size_t columns, float epsilon);

} // namespace bench::native
