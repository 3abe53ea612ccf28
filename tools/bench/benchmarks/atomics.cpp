// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic additions in global memory by 512 Ki work-items: atomics.<where>.
#include "../data.h"
#include "../workload.h"

#include <algorithm>

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 19, kCounters = 1024;

std::vector<uint32_t> oddOnesSorted() {
  std::vector<uint32_t> values = randomWords(kCount);
  std::erase_if(values, [](uint32_t value) { return value % 2 == 0; });
  std::sort(values.begin(), values.end());
  return values;
}

void describeOne(Plan &plan) {
  const Array values = plan.input(randomWords(kCount)), counters = plan.output<uint32_t>(1);
  plan.program("atomics.cl");
  plan.zero(counters);
  plan.launch("one_counter", {values, counters}, {kCount}, {64});
  plan.expect(counters, std::vector{uint32_t(oddOnesSorted().size())});
}

void describeMany(Plan &plan) {
  const Array values = plan.input(randomWords(kCount)), counters = plan.output<uint32_t>(kCounters);
  plan.program("atomics.cl");
  plan.zero(counters);
  plan.launch("many_counters", {values, counters}, {kCount}, {64});
  std::vector<uint32_t> expected(kCounters);
  for (const uint32_t value : randomWords(kCount))
    ++expected[value % kCounters];
  plan.expect(counters, expected);
}

// The work-items append to the list in any order, so the check sorts it.
void describeAppend(Plan &plan) {
  const Array values = plan.input(randomWords(kCount)), counters = plan.output<uint32_t>(1);
  const Array list = plan.output<uint32_t>(kCount);
  plan.program("atomics.cl");
  plan.zero(counters);
  plan.launch("append", {values, counters, list}, {kCount}, {64});
  plan.expect(counters, std::vector{uint32_t(oddOnesSorted().size())});
  plan.check<uint32_t>(list, [expected = oddOnesSorted()](std::span<const uint32_t> result) {
    std::vector<uint32_t> got(result.begin(), result.begin() + ptrdiff_t(expected.size()));
    std::sort(got.begin(), got.end());
    if (got != expected)
      throw Mismatch("the list does not have the odd values");
  });
}

Benchmark atomicsBenchmark(std::string where, std::string description, std::function<void(Plan &)> plan) {
  return benchmarkOf({
      .name = "atomics." + std::move(where),
      .description = std::move(description),
      .amount = 1e-6 * kCount,
      .unit = "Mitem",
      .plan = std::move(plan),
  });
}

} // namespace

std::vector<Benchmark> atomics() {
  return {atomicsBenchmark("one", "half of 512 Ki work-items count in one place", describeOne),
          atomicsBenchmark("many", "512 Ki work-items count in 1024 places", describeMany),
          atomicsBenchmark("append", "half of 512 Ki work-items append to a list", describeAppend)};
}

} // namespace bench
