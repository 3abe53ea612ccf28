// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One pass of a radix sort and a stream compaction of 512 Ki keys by sub-group ballots.
#include "../data.h"
#include "../workload.h"

#include <algorithm>

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 19, kChunk = 1024, kChunks = kCount / kChunk, kWidth = 16, kDigits = 16;
constexpr cl_uint kShift = 4, kLimit = 0x60000000;

const std::vector<std::string> kBallots{"cl_intel_subgroups", "cl_intel_required_subgroup_size",
                                        "cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle"};
const cl::NDRange kGlobal(kChunks *kWidth), kLocal(64), kSubGroup(kWidth);

std::vector<uint32_t> sortedByDigit(const std::vector<uint32_t> &values) {
  std::vector<uint32_t> sorted;
  for (uint32_t digit = 0; digit < kDigits; ++digit)
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
                 [=](uint32_t value) { return (value >> kShift) % kDigits == digit; });
  return sorted;
}

void describeRadixPass(Plan &plan) {
  const std::vector<uint32_t> values = randomWords(kCount);
  const Array keys = plan.input(values), places = plan.output<uint32_t>(kDigits * kChunks);
  const Array sorted = plan.output<uint32_t>(kCount);
  plan.program("ballots.cl");
  plan.launch("radix_count", {keys, places, kShift}, kGlobal, kLocal);
  plan.launch("places_of", {places, cl_uint(kDigits * kChunks)}, kSubGroup, kSubGroup);
  plan.launch("radix_scatter", {keys, places, sorted, kShift}, kGlobal, kLocal);
  plan.expect(sorted, sortedByDigit(values));
}

void describeCompaction(Plan &plan) {
  std::vector<uint32_t> all = randomWords(kCount);
  const Array values = plan.input(all), places = plan.output<uint32_t>(kChunks);
  const Array kept = plan.output<uint32_t>(kCount);
  plan.program("ballots.cl");
  plan.launch("keep_count", {values, places, kLimit}, kGlobal, kLocal);
  plan.launch("places_of", {places, cl_uint(kChunks)}, kSubGroup, kSubGroup);
  plan.launch("keep_write", {values, places, kept, kLimit}, kGlobal, kLocal);
  std::erase_if(all, [](uint32_t value) { return value >= kLimit; });
  all.resize(kCount); // zeros follow the values that are kept
  plan.expect(kept, all);
}

} // namespace

Benchmark radixPass() {
  return benchmarkOf({
      .name = "radix-pass",
      .description = "512 Ki keys by 4 bits, with ballots",
      .amount = 1e-6 * kCount,
      .unit = "Mkey",
      .plan = describeRadixPass,
      .needs = kBallots,
  });
}

Benchmark compaction() {
  return benchmarkOf({
      .name = "compaction",
      .description = "3 of 8 among 512 Ki values in their order, with ballots",
      .amount = 1e-6 * kCount,
      .unit = "Mvalue",
      .plan = describeCompaction,
      .needs = kBallots,
  });
}

} // namespace bench
