// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The transpose of a matrix through local memory.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kWidth = 2048, kHeight = 1024, kCount = kWidth * kHeight;

void describe(Plan &plan) {
  const std::vector<float> matrix = randomFloats(kCount);
  const Array in = plan.input(matrix), out = plan.output<float>(kCount);
  plan.program("transpose.cl");
  plan.launch("transpose", {in, out, cl_int(kWidth), cl_int(kHeight)}, {kWidth, kHeight}, {16, 16});
  plan.expect(out, generate(kCount, [&](size_t i) { return matrix[i % kHeight * kWidth + i / kHeight]; }));
}

} // namespace

Benchmark transpose() {
  return benchmarkOf({
      .name = "transpose",
      .description = "2048 x 1024 floats through local memory",
      .amount = 2e-9 * sizeof(float) * kCount,
      .unit = "GB",
      .plan = describe,
      .native =
          [](HostArrays &arrays) { native::transpose(arrays.in<float>(0), arrays.out<float>(1), kWidth, kHeight); },
  });
}

} // namespace bench
