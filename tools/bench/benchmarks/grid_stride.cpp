// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// z = a * x + y with a grid-stride loop. The number of elements is not a multiple of the grid, the work-group or the
// sub-group.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kCount = (size_t(1) << 22) + 1001, kItems = size_t(1) << 16;
constexpr float kA = 1.5f;

void describe(Plan &plan) {
  const std::vector<float> left = randomFloats(kCount, -1, 1, 1), right = randomFloats(kCount, -1, 1, 2);
  const Array x = plan.input(left), y = plan.input(right), z = plan.output<float>(kCount);
  plan.program("grid_stride.cl");
  plan.launch("grid_stride", {kA, x, y, z, cl_ulong(kCount)}, {kItems}, {256});
  plan.expect(z, generate(kCount, [&](size_t i) { return std::fma(kA, left[i], right[i]); }));
}

} // namespace

Benchmark gridStride() {
  return benchmarkOf({
      .name = "grid-stride",
      .description = "a x + y on 4 Mi floats by 64 Ki work-items, each with a loop",
      .amount = 3e-9 * sizeof(float) * kCount,
      .unit = "GB",
      .plan = describe,
      .native =
          [](HostArrays &arrays) {
            native::multiplyAdd(kA, arrays.in<float>(0), arrays.in<float>(1), arrays.out<float>(2), kCount);
          },
  });
}

} // namespace bench
