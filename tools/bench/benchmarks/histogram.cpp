// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counts how often each of 256 values occurs among 2 Mi bytes, with atomics on local memory.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 21, kGroups = 64;

// Returns bytes of which the dark ones are more frequent, as in photographs.
std::vector<uint8_t> randomBytes() {
  std::vector<uint8_t> bytes(kCount);
  const std::vector<uint32_t> words = randomWords(kCount);
  for (size_t i = 0; i < kCount; ++i)
    bytes[i] = uint8_t((words[i] & 0xff) * (words[i] >> 8 & 0xff) >> 8);
  return bytes;
}

void describe(Plan &plan) {
  const std::vector<uint8_t> bytes = randomBytes();
  std::vector<uint32_t> expected(256);
  for (const uint8_t byte : bytes)
    ++expected[byte];
  const Array values = plan.input(bytes), bins = plan.output<uint32_t>(256);
  plan.program("histogram.cl");
  plan.zero(bins);
  plan.launch("histogram", {values, cl_uint(kCount), bins}, {kGroups * 256}, {256});
  plan.expect(bins, expected);
}

} // namespace

Benchmark histogram() {
  return benchmarkOf({
      .name = "histogram",
      .description = "256 bins of 2 Mi bytes, counted by local atomics",
      .amount = 1e-9 * kCount,
      .unit = "Gvalue",
      .plan = describe,
      .native = [](HostArrays &arrays) { native::histogram(arrays.in<uint8_t>(0), kCount, arrays.out<uint32_t>(1)); },
  });
}

} // namespace bench
