// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sin, cos, exp, log and sqrt, in float, half and double: transcendental.<type>.
#include "../data.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 17;
constexpr int kRounds = 8;

double afterAllRounds(double x) {
  for (int round = 0; round < kRounds; ++round)
    x = std::sin(x) * 0.5 + std::cos(x) * 0.125 + std::exp(-x * x) * 0.25 + std::log(1 + x * x) * 0.25 +
        std::sqrt(x) * 0.125;
  return x;
}

template <typename T> void describe(Plan &plan, const char *options, double tolerance) {
  const std::vector<float> values = randomFloats(kCount, 0, 1.5f);
  const std::vector<T> start(values.begin(), values.end());
  const Array in = plan.input(start), out = plan.output<T>(kCount);
  plan.program("transcendental.cl", options);
  plan.launch("mix_functions", {in, out, kRounds}, {kCount}, {128});
  plan.expect(out, generate(kCount, [&](size_t i) { return T(afterAllRounds(double(start[i]))); }), tolerance);
}

template <typename T>
Benchmark inType(const char *type, const char *options, double tolerance, std::vector<std::string> needs) {
  return benchmarkOf({
      .name = std::string("transcendental.") + type,
      .description = "sin, cos, exp, log and sqrt, 8 rounds for each of 128 Ki values",
      .amount = 1e-6 * kCount * kRounds * 5,
      .unit = "Mcall",
      .plan = [=](Plan &plan) { describe<T>(plan, options, tolerance); },
      .needs = std::move(needs),
  });
}

} // namespace

std::vector<Benchmark> transcendental() {
  return {inType<float>("float", "", 1e-5, {}), inType<_Float16>("half", "-DHALF", 0.02, {"cl_khr_fp16"}),
          inType<double>("double", "-DDOUBLE", 1e-13, {"cl_khr_fp64"})};
}

} // namespace bench
