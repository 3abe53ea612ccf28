// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A convolution with 5 x 5 weights, on a buffer (convolution-5x5.buffer) and through an image with a sampler
// (convolution-5x5.image).
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

#include <algorithm>

namespace bench {

namespace {

struct Size {
  size_t width, height;
};
constexpr Size kBuffer{2048, 1024}, kImage{512, 512}; // the image is smaller because a sampler is slower

std::vector<float> randomWeights() {
  return randomFloats(25, -0.1f, 0.3f, 5);
}

size_t clamped(size_t padded, size_t size) {
  return size_t(std::clamp<ptrdiff_t>(ptrdiff_t(padded) - 2, 0, ptrdiff_t(size) - 1));
}

// Returns the picture with two more pixels on each side, which are copies of the outermost ones.
std::vector<float> withBorder(const std::vector<float> &pixels, Size size) {
  const size_t pitch = size.width + 4;
  return generate(pitch * (size.height + 4), [&](size_t i) {
    return pixels[clamped(i / pitch, size.height) * size.width + clamped(i % pitch, size.width)];
  });
}

std::vector<float> convolved(const std::vector<float> &padded, const std::vector<float> &weights, Size size) {
  return generate(size.width * size.height, [&](size_t pixel) {
    double sum = 0;
    for (size_t i = 0; i < 25; ++i)
      sum += double(weights[i]) * padded[(pixel / size.width + i / 5) * (size.width + 4) + pixel % size.width + i % 5];
    return float(sum);
  });
}

void describeBuffer(Plan &plan) {
  const std::vector<float> padded = withBorder(randomFloats(kBuffer.width * kBuffer.height), kBuffer);
  const Array in = plan.input(padded), weights = plan.input(randomWeights());
  const Array out = plan.output<float>(kBuffer.width * kBuffer.height);
  plan.program("convolution.cl");
  plan.launch("from_buffer", {in, weights, out}, {kBuffer.width, kBuffer.height}, {64, 1});
  plan.expect(out, convolved(padded, randomWeights(), kBuffer), 1e-6);
}

void describeImage(Plan &plan) {
  const std::vector<float> pixels = randomFloats(kImage.width * kImage.height);
  const Array in = plan.input(pixels, {{CL_R, CL_FLOAT}, kImage.width, kImage.height});
  const Array weights = plan.input(randomWeights()), out = plan.output<float>(kImage.width * kImage.height);
  plan.program("convolution.cl");
  plan.launch("from_image", {in, weights, out}, {kImage.width, kImage.height}, {16, 16});
  plan.expect(out, convolved(withBorder(pixels, kImage), randomWeights(), kImage), 1e-6);
}

} // namespace

std::vector<Benchmark> convolution() {
  return {benchmarkOf({
              .name = "convolution-5x5.buffer",
              .description = "2048 x 1024 floats in a buffer",
              .amount = 1e-6 * kBuffer.width * kBuffer.height,
              .unit = "Mpixel",
              .plan = describeBuffer,
              .native =
                  [](HostArrays &arrays) {
                    native::convolve5x5(arrays.in<float>(0), arrays.in<float>(1), arrays.out<float>(2), kBuffer.width,
                                        kBuffer.height);
                  },
              .needs = {kImages}, // the program also contains the kernel with images
          }),
          benchmarkOf({
              .name = "convolution-5x5.image",
              .description = "512 x 512 floats through a sampler",
              .amount = 1e-6 * kImage.width * kImage.height,
              .unit = "Mpixel",
              .plan = describeImage,
              .needs = {kImages},
          })};
}

} // namespace bench
