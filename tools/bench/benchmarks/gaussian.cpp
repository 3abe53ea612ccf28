// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The example's 5x5 Gaussian filter on a picture of 4096 x 2160 random pixels.
#include "../benchmark.h"

#include <algorithm>
#include <random>

namespace bench {

namespace {

constexpr size_t kWidth = 4096, kHeight = 2160, kBlock = 16, kSourcePitch = kWidth + 2 * kBlock;

// Returns rows with an additional block on both sides, as the kernel requires. The blocks repeat the outermost pixels.
std::vector<uint32_t> randomPicture() {
  std::mt19937 random(1);
  std::vector<uint32_t> padded(kSourcePitch * kHeight);
  for (size_t y = 0; y < kHeight; ++y) {
    const auto row = padded.begin() + ptrdiff_t(y * kSourcePitch);
    std::generate(row + kBlock, row + kBlock + kWidth, std::ref(random));
    std::fill(row, row + kBlock, row[kBlock]);
    std::fill(row + kBlock + kWidth, row + kSourcePitch, row[kBlock + kWidth - 1]);
  }
  return padded;
}

// Returns the exact weighted sum of the five rows around y, for one channel at column x of the padded picture.
unsigned columnSum(const std::vector<uint32_t> &source, size_t x, size_t y, unsigned shift) {
  constexpr unsigned kWeights[5] = {1, 4, 6, 4, 1};
  unsigned sum = 0;
  for (size_t i = 0; i < 5; ++i) {
    const size_t row = std::clamp<ptrdiff_t>(ptrdiff_t(y + i) - 2, 0, kHeight - 1);
    sum += kWeights[i] * (source[row * kSourcePitch + x] >> shift & 0xff);
  }
  return sum;
}

void verifyPicture(const std::vector<uint32_t> &source, const std::vector<uint32_t> &result) {
  std::vector<unsigned> sums(kSourcePitch);
  for (size_t y = 0; y < kHeight; ++y)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      for (size_t x = 0; x < kSourcePitch; ++x)
        sums[x] = columnSum(source, x, y, shift);
      for (size_t x = 0; x < kWidth; ++x) {
        const unsigned *s = &sums[x + kBlock];
        const unsigned expected = (s[-2] + 4 * s[-1] + 6 * s[0] + 4 * s[1] + s[2] + 128) / 256;
        if ((result[y * kWidth + x] >> shift & 0xff) != expected)
          throw Mismatch("pixel (" + std::to_string(x) + ", " + std::to_string(y) + ")");
      }
    }
}

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device)
      : device(device),
        kernel(device.build(exampleKernels("gaussian_filter"), "gaussian_filter.cl"), "gaussian_filter"),
        input(device.readOnly(source.data(), source.size() * sizeof(uint32_t))),
        output(device.writeOnly(result.size() * sizeof(uint32_t))) {
    kernel.setArg(0, input);
    kernel.setArg(1, output);
    kernel.setArg(2, cl_int(kHeight));
    kernel.setArg(3, cl_int(kSourcePitch));
    kernel.setArg(4, cl_int(kWidth));
  }
  void run() override {
    device.launch(kernel, cl::NDRange(kBlock, kHeight), cl::NDRange(kBlock, 1));
    device.queue.finish();
  }
  void verify() override {
    device.read(output, result);
    verifyPicture(source, result);
  }

private:
  const Device &device;
  std::vector<uint32_t> source = randomPicture(), result = std::vector<uint32_t>(kWidth * kHeight);
  cl::Kernel kernel;
  cl::Buffer input, output;
};

} // namespace

Benchmark gaussian() {
  return {"gaussian", "5 x 5 filter of 4096 x 2160 pixels, the example's kernel",
          1,          1e-6 * kWidth * kHeight,
          "Mpixel",   [](const Device &device) { return std::make_unique<OnDevice>(device); },
          {},         kSubGroups};
}

} // namespace bench
