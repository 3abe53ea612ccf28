// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 64 Ki keys sorted by a bitonic network: many short launches, and barriers in local memory.
#include "../data.h"
#include "../workload.h"

#include <algorithm>

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 16, kBlock = 512;

void describe(Plan &plan) {
  std::vector<uint32_t> keys = randomWords(kCount);
  const Array input = plan.input(keys), sorted = plan.output<uint32_t>(kCount);
  const cl::NDRange global(kCount / 2), local(kBlock / 2);
  plan.program("bitonic_sort.cl");
  plan.copy(input, sorted);
  plan.launch("sort_blocks", {sorted}, global, local);
  for (size_t length = 2 * kBlock; length <= kCount; length *= 2) {
    for (size_t distance = length / 2; distance >= kBlock; distance /= 2)
      plan.launch("merge_step", {sorted, cl_uint(length), cl_uint(distance)}, global, local);
    plan.launch("merge_blocks", {sorted, cl_uint(length)}, global, local);
  }
  std::sort(keys.begin(), keys.end());
  plan.expect(sorted, keys);
}

} // namespace

Benchmark bitonicSort() {
  return benchmarkOf({
      .name = "bitonic-sort",
      .description = "64 Ki keys, in local memory where sequences fit",
      .amount = 1e-6 * kCount,
      .unit = "Mkey",
      .plan = describe,
  });
}

} // namespace bench
