// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The value of European options. The normal distribution is the polynomial 26.2.17 of Abramowitz and Stegun.
float normal(float d) {
  const float k = 1.0f / fma(0.2316419f, fabs(d), 1.0f);
  const float sum =
      k * fma(k, fma(k, fma(k, fma(k, 1.330274429f, -1.821255978f), 1.781477937f), -0.356563782f), 0.319381530f);
  const float tail = 0.39894228040f * exp(-0.5f * d * d) * sum;
  return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes(const global float *restrict prices, const global float *restrict strikes,
                          const global float *restrict years, global float *restrict calls,
                          global float *restrict puts, float rate, float volatility) {
  const size_t i = get_global_id(0);
  const float price = prices[i], strike = strikes[i], deviation = volatility * sqrt(years[i]);
  const float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
  const float p1 = normal(d1), p2 = normal(d1 - deviation), discounted = strike * exp(-rate * years[i]);
  calls[i] = price * p1 - discounted * p2;
  puts[i] = discounted * (1.0f - p2) - price * (1.0f - p1);
}
