// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A 3 x 3 convolution of 48 to 40 features on 61 x 56 pixels. Features lie in slices of 16 (the layout fsv16). Neither
// the width nor the number of features is a multiple of the block that the kernel works on.
#include "../data.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kInSlices = 3, kFeatures = 40, kOutSlices = 3, kWidth = 61, kHeight = 56, kBlock = 8;
constexpr size_t kPitch = kWidth + 2, kRows = kHeight + 2;

// Returns random features with a border of zeros, one pixel wide, around the picture.
std::vector<float> randomInput() {
  std::vector<float> values = randomFloats(kInSlices * kRows * kPitch * 16);
  for (size_t i = 0; i < values.size(); ++i)
    if (const size_t x = i / 16 % kPitch, y = i / 16 / kPitch % kRows;
        x == 0 || x == kPitch - 1 || y == 0 || y == kRows - 1)
      values[i] = 0;
  return values;
}

// The layout is [output slice][input slice][y][x][input feature][output feature].
size_t weightIndex(size_t out, size_t in, size_t ky, size_t kx) {
  return ((((out / 16 * kInSlices + in / 16) * 3 + ky) * 3 + kx) * 16 + in % 16) * 16 + out % 16;
}

float convolvedAt(const std::vector<float> &in, const std::vector<float> &weights, size_t i) {
  const size_t feature = i / 16 / (kWidth * kHeight) * 16 + i % 16, x = i / 16 % kWidth, y = i / 16 / kWidth % kHeight;
  if (feature >= kFeatures)
    return 0; // the kernel does not write these
  double sum = 0;
  for (size_t from = 0; from < 16 * kInSlices; ++from)
    for (size_t k = 0; k < 9; ++k)
      sum += double(weights[weightIndex(feature, from, k / 3, k % 3)]) *
             in[((from / 16 * kRows + y + k / 3) * kPitch + x + k % 3) * 16 + from % 16];
  return float(sum);
}

void describe(Plan &plan) {
  const std::vector<float> pixels = randomInput(), weight = randomFloats(kOutSlices * kInSlices * 9 * 256, -1, 1, 2);
  const size_t count = kOutSlices * kHeight * kWidth * 16;
  const Array in = plan.input(pixels), weights = plan.input(weight), out = plan.output<float>(count);
  plan.program("fsv16.cl");
  plan.launch("convolve", {in, weights, out, cl_int(kInSlices), cl_int(kFeatures), cl_int(kWidth), cl_int(kHeight)},
              {(kWidth + kBlock - 1) / kBlock * 16, kHeight, kOutSlices}, {16, 1, 1});
  plan.expect(out, generate(count, [&](size_t i) { return convolvedAt(pixels, weight, i); }), 1e-5);
}

} // namespace

Benchmark fsv16() {
  return benchmarkOf({
      .name = "convolution-fsv16",
      .description = "3 x 3, 48 to 40 features in slices of 16, 61 x 56 pixels, by block reads",
      .amount = 2e-9 * 9 * 16 * kInSlices * kFeatures * kWidth * kHeight,
      .unit = "GFLOP",
      .plan = describe,
      .needs = kSubGroups,
  });
}

} // namespace bench
