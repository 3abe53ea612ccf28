// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// As many work-groups as there are threads, each with the same long work. The slowest thread decides the time.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

#include <thread>

namespace bench {

namespace {

constexpr size_t kGroup = 64;
constexpr uint32_t kRounds = 1 << 17;

size_t itemCount() {
  return kGroup * std::max(1u, std::thread::hardware_concurrency());
}

uint32_t stateOf(size_t item) {
  uint32_t x = 2654435761u * uint32_t(item + 1);
  for (uint32_t round = 0; round < kRounds; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

void describe(Plan &plan) {
  const Array states = plan.output<uint32_t>(itemCount());
  plan.program("heavy_groups.cl");
  plan.launch("heavy", {states, kRounds}, {itemCount()}, {kGroup});
  plan.expect(states, generate(itemCount(), stateOf));
}

} // namespace

Benchmark heavyGroups() {
  return benchmarkOf({
      .name = "heavy-groups",
      .description = "as many work-groups as threads, 128 Ki rounds of integers in each",
      .amount = 6e-9 * double(itemCount()) * kRounds,
      .unit = "GOP",
      .plan = describe,
      .native = [](HostArrays &arrays) { native::randomStates(arrays.out<uint32_t>(0), itemCount(), kRounds); },
  });
}

} // namespace bench
