// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Option prices with the mathematics of mathematics.h, 16 options at a time.
#include "mathematics.h"
#include "native.h"
#include "parallel.h"

namespace bench::native {

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

} // namespace bench::native
