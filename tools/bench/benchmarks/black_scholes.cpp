// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The value of 512 Ki European options: exponentials, logarithms, roots and divisions.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 19;
constexpr float kRate = 0.02f, kVolatility = 0.3f;

double normal(double d) {
  return 0.5 * std::erfc(-d * std::sqrt(0.5));
}

void describe(Plan &plan) {
  const std::vector<float> price = randomFloats(kCount, 5, 30, 1), strike = randomFloats(kCount, 1, 100, 2),
                           year = randomFloats(kCount, 0.25f, 10, 3);
  const Array prices = plan.input(price), strikes = plan.input(strike), years = plan.input(year);
  const Array calls = plan.output<float>(kCount), puts = plan.output<float>(kCount);
  plan.program("black_scholes.cl");
  plan.launch("black_scholes", {prices, strikes, years, calls, puts, kRate, kVolatility}, {kCount}, {128});

  std::vector<float> call(kCount), put(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const double s = price[i], x = strike[i], t = year[i], v = kVolatility, deviation = v * std::sqrt(t);
    const double d1 = (std::log(s / x) + (kRate + 0.5 * v * v) * t) / deviation, d2 = d1 - deviation;
    const double discounted = x * std::exp(-kRate * t);
    call[i] = float(s * normal(d1) - discounted * normal(d2));
    put[i] = float(discounted * normal(-d2) - s * normal(-d1));
  }
  plan.expect(calls, call, 5e-5);
  plan.expect(puts, put, 5e-5);
}

} // namespace

Benchmark blackScholes() {
  return benchmarkOf({
      .name = "black-scholes",
      .description = "512 Ki European options",
      .amount = 1e-6 * kCount,
      .unit = "Moption",
      .plan = describe,
      .native =
          [](HostArrays &arrays) {
            native::blackScholes(arrays.in<float>(0), arrays.in<float>(1), arrays.in<float>(2), arrays.out<float>(3),
                                 arrays.out<float>(4), kCount, kRate, kVolatility);
          },
  });
}

} // namespace bench
