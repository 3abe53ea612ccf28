// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The same million work-items in work-groups of 1 to 1024, without and with a barrier: scaling.local.<kernel>.<size>.
#include "../data.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kItems = 1 << 20, kLargest = 1024;

void each(Plan &plan, size_t local) {
  const std::vector<float> in = randomFloats(kItems);
  const Array from = plan.input(in), to = plan.output<float>(kItems);
  plan.program("scaling.cl");
  plan.launch("each", {from, to}, {kItems}, {local});
  plan.expect(to, generate(kItems, [&](size_t i) { return 2 * in[i] + 1; }), 1e-6);
}

void reverse(Plan &plan, size_t local) {
  const std::vector<float> in = randomFloats(kItems);
  const Array from = plan.input(in), to = plan.output<float>(kItems);
  plan.program("scaling.cl");
  plan.launch("reverse", {from, to, LocalBytes{local * sizeof(float)}}, {kItems}, {local});
  plan.expect(to, generate(kItems, [&](size_t i) { return in[i - i % local + local - 1 - i % local]; }));
}

Benchmark inGroupsOf(size_t local, const std::string &kernel, void (*describe)(Plan &, size_t)) {
  return benchmarkOf({
      .name = "scaling.local." + kernel + "." + std::to_string(local),
      .description = "2^20 work-items in work-groups of " + std::to_string(local),
      .amount = 1e-9 * kItems,
      .unit = "Gitem",
      .plan = [=](Plan &plan) { describe(plan, local); },
  });
}

} // namespace

std::vector<Benchmark> scalingLocal() {
  std::vector<Benchmark> benchmarks;
  for (size_t local = 1; local <= kLargest; local *= 2)
    benchmarks.push_back(inGroupsOf(local, "each", each));
  for (size_t local = 1; local <= kLargest; local *= 2)
    benchmarks.push_back(inGroupsOf(local, "barrier", reverse));
  return benchmarks;
}

} // namespace bench
