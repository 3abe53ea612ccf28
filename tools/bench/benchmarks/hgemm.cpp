// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrix multiplication in half precision, 256 x 256 x 256. The elements are small integers, so that all sums are
// exact.
#include "../data.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kSize = 256, kRowsOfSubGroup = 8, kColumnsOfSubGroup = 32;

std::vector<_Float16> smallIntegers(unsigned seed) {
  const std::vector<uint32_t> words = randomWords(kSize * kSize, seed);
  return generate(words.size(), [&](size_t i) { return _Float16(int(words[i] % 5) - 2); });
}

void describe(Plan &plan) {
  const std::vector<_Float16> left = smallIntegers(1), right = smallIntegers(2);
  const std::vector<float> wide(right.begin(), right.end());
  std::vector<float> product(kSize * kSize);
  for (size_t row = 0; row < kSize; ++row)
    for (size_t k = 0; k < kSize; ++k)
      for (size_t column = 0; column < kSize; ++column)
        product[row * kSize + column] += float(left[row * kSize + k]) * wide[k * kSize + column];

  const Array a = plan.input(left), b = plan.input(right), c = plan.output<_Float16>(kSize * kSize);
  plan.program("hgemm.cl");
  plan.launch("hgemm", {a, b, c, cl_int(kSize)}, {kSize / kColumnsOfSubGroup * 16, kSize / kRowsOfSubGroup}, {16, 1});
  plan.expect(c, std::vector<_Float16>(product.begin(), product.end()));
}

} // namespace

Benchmark hgemm() {
  return benchmarkOf({
      .name = "hgemm",
      .description = "256 x 256 x 256 in half precision by sub-groups",
      .amount = 2e-9 * kSize * kSize * kSize,
      .unit = "GFLOP",
      .plan = describe,
      .needs = {"cl_khr_fp16", "cl_intel_subgroups_short", "cl_intel_required_subgroup_size"},
  });
}

} // namespace bench
