// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads pictures of four 8-bit channels through samplers: image.copy and image.scale.
#include "../data.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kSize = 1024, kSmall = 512;
constexpr float kStep = 1.9f; // the distance of neighboring results in the source, in pixels
const cl::ImageFormat kFormat(CL_RGBA, CL_UNORM_INT8);

void describeCopy(Plan &plan) {
  const std::vector<uint32_t> pixels = randomWords(kSize * kSize);
  const Array in = plan.input(pixels, {kFormat, kSize, kSize});
  const Array out = plan.output<uint32_t>(kSize * kSize, {kFormat, kSize, kSize});
  plan.program("images.cl");
  plan.launch("copy", {in, out}, {kSize, kSize}, {16, 16});
  plan.expect(out, pixels);
}

// Returns the interpolated value of one channel, in units of its least significant bit.
double interpolated(const std::vector<uint32_t> &pixels, size_t column, size_t row, unsigned channel) {
  const double u = (double(column) + 0.5) * double(kStep) - 0.5, v = (double(row) + 0.5) * double(kStep) - 0.5;
  const double left = std::floor(u), top = std::floor(v);
  double sum = 0;
  for (const int j : {0, 1})
    for (const int i : {0, 1}) {
      const double weight = (i ? u - left : left + 1 - u) * (j ? v - top : top + 1 - v);
      sum += weight * (pixels[(size_t(top) + j) * kSize + size_t(left) + i] >> 8 * channel & 0xff);
    }
  return sum;
}

// The tolerance is two units, because samplers may round the weights to 8 bits.
void verifyScaled(const std::vector<uint32_t> &pixels, std::span<const uint8_t> result) {
  for (size_t i = 0; i < result.size(); ++i)
    if (const double want = interpolated(pixels, i / 4 % kSmall, i / 4 / kSmall, i % 4);
        !(std::abs(result[i] - want) <= 2))
      throw Mismatch("channel " + std::to_string(i) + " is " + std::to_string(result[i]) + " instead of " +
                     std::to_string(want));
}

void describeScale(Plan &plan) {
  const std::vector<uint32_t> pixels = randomWords(kSize * kSize);
  const Array in = plan.input(pixels, {kFormat, kSize, kSize});
  const Array out = plan.output<uint32_t>(kSmall * kSmall, {kFormat, kSmall, kSmall});
  plan.program("images.cl");
  plan.launch("scale", {in, out, kStep}, {kSmall, kSmall}, {16, 16});
  plan.check<uint8_t>(out, [=](std::span<const uint8_t> result) { verifyScaled(pixels, result); });
}

} // namespace

std::vector<Benchmark> images() {
  return {benchmarkOf({
              .name = "image.copy",
              .description = "1024 x 1024 pixels from image to image",
              .amount = 1e-6 * kSize * kSize,
              .unit = "Mpixel",
              .plan = describeCopy,
              .needs = {kImages},
          }),
          benchmarkOf({
              .name = "image.scale",
              .description = "to 512 x 512 pixels with linear interpolation",
              .amount = 1e-6 * kSmall * kSmall,
              .unit = "Mpixel",
              .plan = describeScale,
              .needs = {kImages},
          })};
}

} // namespace bench
