// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// References that arithmetic limits, mostly 16 elements at a time.
#include "hashes.h"
#include "mathematics.h"
#include "native.h"
#include "parallel.h"
#include "vector.h"

#include <atomic>

namespace bench::native {

// Many random generators side by side, each of which is one dependency chain.
namespace {

constexpr size_t kGroup = 64; // fills four AVX-512 registers, which hides the latency of each dependency chain

void runGroup(uint32_t *states, size_t first, uint32_t rounds) {
  uint32_t x[kGroup];
  for (size_t i = 0; i < kGroup; ++i)
    x[i] = 2654435761u * uint32_t(first + i + 1);
  for (uint32_t round = 0; round < rounds; ++round)
#pragma omp simd
    for (size_t i = 0; i < kGroup; ++i) {
      x[i] ^= x[i] << 13;
      x[i] ^= x[i] >> 17;
      x[i] ^= x[i] << 5;
    }
  for (size_t i = 0; i < kGroup; ++i)
    states[first + i] = x[i];
}

} // namespace

void randomStates(uint32_t *states, size_t count, uint32_t rounds) {
  inRanges(count, kGroup, [=](size_t begin, size_t) { runGroup(states, begin, rounds); });
}

// Gravity between all pairs of bodies, for 16 bodies at a time.
namespace {

struct Axes {
  Float16 x, y, z;
};

// Returns the accelerations of 16 bodies by all bodies.
Axes accelerationsOf16(const Axes &me, const float *bodies, size_t count, float softening) {
  Axes sum{};
  for (const float *other = bodies; other != bodies + 4 * count; other += 4) {
    const Float16 dx = other[0] - me.x, dy = other[1] - me.y, dz = other[2] - me.z;
    const Float16 square = fma(dx, dx, fma(dy, dy, fma(dz, dz, Float16(softening))));
    const Float16 inverse = inverseSquareRoot(square);
    const Float16 force = other[3] * inverse * inverse * inverse;
    sum = {fma(force, dx, sum.x), fma(force, dy, sum.y), fma(force, dz, sum.z)};
  }
  return sum;
}

} // namespace

void accelerations(const float *bodies, float *result, size_t count, float softening) {
  inRanges(count, kLanes, [=](size_t first, size_t) {
    Axes me;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float *body = bodies + 4 * (first + lane);
      me.x[lane] = body[0], me.y[lane] = body[1], me.z[lane] = body[2];
    }
    const Axes sum = accelerationsOf16(me, bodies, count, softening);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      float *out = result + 4 * (first + lane);
      out[0] = sum.x[lane], out[1] = sum.y[lane], out[2] = sum.z[lane], out[3] = 0;
    }
  });
}

// Option prices with the mathematics of mathematics.h, 16 options at a time.
namespace {

// Returns the cumulative normal distribution, by the polynomial 26.2.17 of Abramowitz and Stegun.
Float16 normal(Float16 d) {
  const Float16 k = 1.0f / fma(Float16(0.2316419f), __builtin_elementwise_abs(d), Float16(1.0f));
  Float16 sum = 1.330274429f;
  for (const float coefficient : {-1.821255978f, 1.781477937f, -0.356563782f, 0.319381530f})
    sum = fma(sum, k, Float16(coefficient));
  const Float16 tail = 0.39894228040f * exp(-0.5f * d * d) * (sum * k);
  return d > 0 ? 1.0f - tail : tail;
}

} // namespace

void blackScholes(const float *prices, const float *strikes, const float *years, float *calls, float *puts,
                  size_t count, float rate, float volatility) {
  inRanges(count, 8192, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += kLanes) {
      const Float16 price = load(prices + i), strike = load(strikes + i), time = load(years + i);
      const Float16 deviation = volatility * __builtin_elementwise_sqrt(time);
      const Float16 d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
      const Float16 p1 = normal(d1), p2 = normal(d1 - deviation), discounted = strike * exp(-rate * time);
      store(calls + i, price * p1 - discounted * p2);
      store(puts + i, discounted * (1.0f - p2) - price * (1.0f - p1));
    }
  });
}

// The Mandelbrot set, 16 pixels at a time.
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

// MD5 and SHA-256 of many messages, 16 at a time.
namespace {

using Words16 = uint32_t __attribute__((ext_vector_type(16)));

// Hashes the messages 0 to count - 1, sixteen at a time with a message in each lane.
template <size_t Words>
void hashAll(void (*hash)(Words16, uint32_t, Words16 (&)[Words]), uint32_t tail, uint32_t *digests, size_t count) {
  inRanges(count, 4096, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += kLanes) {
      Words16 numbers, digest[Words];
      for (size_t lane = 0; lane < kLanes; ++lane)
        numbers[lane] = uint32_t(i + lane);
      hash(numbers, tail, digest);
      for (size_t word = 0; word < Words; ++word)
        std::memcpy(digests + word * count + i, &digest[word], sizeof digest[word]);
    }
  });
}

} // namespace

void md5OfNumbers(uint32_t tail, uint32_t *digests, size_t count) {
  hashAll<4>(md5<Words16>, tail, digests, count);
}

void sha256OfNumbers(uint32_t tail, uint32_t *digests, size_t count) {
  hashAll<8>(sha256<Words16>, tail, digests, count);
}

} // namespace bench::native
