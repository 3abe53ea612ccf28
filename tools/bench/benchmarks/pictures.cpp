// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Benchmarks with pictures, in buffers and in images.
#include "../benchmark.h"
#include "../data.h"
#include "../native/native.h"

#include <algorithm>

namespace bench {

namespace {

// The example's 5x5 Gaussian filter on a picture of 4096 x 2160 random pixels.
namespace gaussian {

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

void verify(const std::vector<uint32_t> &source, std::span<const uint32_t> result) {
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

void describe(Plan &plan) {
  const std::vector<uint32_t> picture = randomPicture();
  const Array in = plan.input(picture), out = plan.output<uint32_t>(kWidth * kHeight);
  plan.program("gaussian_filter/gaussian_filter.cl");
  plan.launch("gaussian_filter", {in, out, cl_int(kHeight), cl_int(kSourcePitch), cl_int(kWidth)}, {kBlock, kHeight},
              {kBlock, 1});
  plan.check<uint32_t>(out, [=](std::span<const uint32_t> result) { verify(picture, result); });
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "gaussian",
      .description = "5 x 5 filter of 4096 x 2160 pixels, the example's kernel",
      .amount = 1e-6 * kWidth * kHeight,
      .unit = "Mpixel",
      .plan = describe,
      .needs = kSubGroups,
  });
}

} // namespace gaussian

// A convolution with 5 x 5 weights, on a buffer (convolution-5x5.buffer) and through an image with a sampler
// (convolution-5x5.image).
namespace convolution {

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

void add(Benchmarks &all) {
  all.push_back({
      .name = "convolution-5x5.buffer",
      .description = "2048 x 1024 floats in a buffer",
      .amount = 1e-6 * kBuffer.width * kBuffer.height,
      .unit = "Mpixel",
      .plan = describeBuffer,
      .native = reference(native::convolve5x5, Array{0}, Array{1}, Array{2}, kBuffer.width, kBuffer.height),
      .needs = {kImages}, // the program also contains the kernel with images
  });
  all.push_back({
      .name = "convolution-5x5.image",
      .description = "512 x 512 floats through a sampler",
      .amount = 1e-6 * kImage.width * kImage.height,
      .unit = "Mpixel",
      .plan = describeImage,
      .needs = {kImages},
  });
}

} // namespace convolution

// A 3 x 3 convolution of 48 to 40 features on 61 x 56 pixels. Features lie in slices of 16 (the layout fsv16). Neither
// the width nor the number of features is a multiple of the block that the kernel works on.
namespace fsv16 {

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

void add(Benchmarks &all) {
  all.push_back({
      .name = "convolution-fsv16",
      .description = "3 x 3, 48 to 40 features in slices of 16, 61 x 56 pixels, by block reads",
      .amount = 2e-9 * 9 * 16 * kInSlices * kFeatures * kWidth * kHeight,
      .unit = "GFLOP",
      .plan = describe,
      .needs = kSubGroups,
  });
}

} // namespace fsv16

// Reads pictures of four 8-bit channels through samplers: image.copy and image.scale.
namespace images {

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

void add(Benchmarks &all) {
  all.push_back({
      .name = "image.copy",
      .description = "1024 x 1024 pixels from image to image",
      .amount = 1e-6 * kSize * kSize,
      .unit = "Mpixel",
      .plan = describeCopy,
      .needs = {kImages},
  });
  all.push_back({
      .name = "image.scale",
      .description = "to 512 x 512 pixels with linear interpolation",
      .amount = 1e-6 * kSmall * kSmall,
      .unit = "Mpixel",
      .plan = describeScale,
      .needs = {kImages},
  });
}

} // namespace images

} // namespace

void addPictures(Benchmarks &all) {
  gaussian::add(all);
  convolution::add(all);
  fsv16::add(all);
  images::add(all);
}

} // namespace bench
