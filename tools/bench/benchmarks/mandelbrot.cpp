// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The Mandelbrot set, 2048 x 2048 pixels, at most 256 iterations: a divergent loop.
#include "../benchmark.h"
#include "../native/native.h"

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

constexpr size_t kSize = 2048;
constexpr uint32_t kLimit = 256;
constexpr float kLeft = -2, kTop = -1.25f, kStep = 2.5f / kSize;

uint32_t iterationsAt(size_t column, size_t row) {
  const float cx = std::fma(float(column), kStep, kLeft), cy = std::fma(float(row), kStep, kTop);
  float x = cx, y = cy;
  uint32_t count = 0;
  for (; count < kLimit; ++count) {
    const float square = y * y;
    if (std::fma(x, x, square) > 4)
      break;
    const float next = std::fma(x, x, std::fma(-y, y, cx));
    y = std::fma(x + x, y, cy);
    x = next;
  }
  return count;
}

// Returns the picture computed by scalar code. It is computed at the first call.
const std::vector<uint32_t> &expectedImage() {
  static const std::vector<uint32_t> image = [] {
    std::vector<uint32_t> pixels(kSize * kSize);
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = iterationsAt(i % kSize, i / kSize);
    return pixels;
  }();
  return image;
}

void verifyImage(const std::vector<uint32_t> &image) {
  const auto [got, expected] = std::mismatch(image.begin(), image.end(), expectedImage().begin());
  if (got != image.end())
    throw Mismatch("pixel " + std::to_string(got - image.begin()) + " has " + std::to_string(*got) +
                   " iterations instead of " + std::to_string(*expected));
}

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device)
      : device(device), kernel(device.build(ownKernels(), "mandelbrot.cl"), "mandelbrot"),
        result(device.writeOnly(image.size() * sizeof(uint32_t))) {
    kernel.setArg(0, result);
    kernel.setArg(1, kLeft);
    kernel.setArg(2, kTop);
    kernel.setArg(3, kStep);
    kernel.setArg(4, kLimit);
  }
  void run() override {
    device.launch(kernel, cl::NDRange(kSize, kSize), cl::NDRange(64, 1));
    device.queue.finish();
  }
  void verify() override {
    device.read(result, image);
    verifyImage(image);
  }

private:
  const Device &device;
  std::vector<uint32_t> image = std::vector<uint32_t>(kSize * kSize);
  cl::Kernel kernel;
  cl::Buffer result;
};

class Native : public Case {
public:
  void run() override { native::mandelbrot(image.data(), kSize, kSize, kLeft, kTop, kStep, kLimit); }
  void verify() override { verifyImage(image); }

private:
  std::vector<uint32_t> image = std::vector<uint32_t>(kSize * kSize);
};

} // namespace

Benchmark mandelbrot() {
  return {"mandelbrot",
          "2048 x 2048 pixels, up to 256 iterations",
          1,
          1e-6 * kSize * kSize,
          "Mpixel",
          [](const Device &device) { return std::make_unique<OnDevice>(device); },
          [] { return std::make_unique<Native>(); }};
}

} // namespace bench
