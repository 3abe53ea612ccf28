// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A stencil of 7 points on 192 x 128 x 128 cells.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kWidth = 192, kHeight = 128, kDepth = 128, kCells = kWidth * kHeight * kDepth;
constexpr float kRate = 0.1f;

float after(const std::vector<float> &in, size_t i) {
  const size_t x = i % kWidth, y = i / kWidth % kHeight, z = i / kWidth / kHeight, plane = kWidth * kHeight;
  if (x == 0 || y == 0 || z == 0 || x == kWidth - 1 || y == kHeight - 1 || z == kDepth - 1)
    return in[i];
  const double around = double(in[i - 1]) + in[i + 1] + in[i - kWidth] + in[i + kWidth] + in[i - plane] + in[i + plane];
  return float(in[i] + kRate * (around - 6.0 * in[i]));
}

void describe(Plan &plan) {
  const std::vector<float> cells = randomFloats(kCells);
  const Array in = plan.input(cells), out = plan.output<float>(kCells);
  plan.program("stencil.cl");
  plan.launch("heat", {in, out, kRate}, {kWidth, kHeight, kDepth}, {64, 4, 1});
  plan.expect(out, generate(kCells, [&](size_t i) { return after(cells, i); }), 1e-6);
}

} // namespace

Benchmark stencil() {
  return benchmarkOf({
      .name = "stencil-3d",
      .description = "7 points on 192 x 128 x 128 cells",
      .amount = 2e-9 * sizeof(float) * kCells,
      .unit = "GB",
      .plan = describe,
      .native =
          [](HostArrays &arrays) {
            native::heat(arrays.in<float>(0), arrays.out<float>(1), kWidth, kHeight, kDepth, kRate);
          },
  });
}

} // namespace bench
