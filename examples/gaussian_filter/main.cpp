// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Filters a photograph with a 5x5 Gaussian. Pixels of neighboring columns are exchanged within the sub-group.
//
//   example_gaussian_filter --picture photo.jpg --output filtered.png
//
// Without --picture it filters the photograph of the Debian package python-matplotlib-data.
#include "common/example.hpp"
#include "picture.hpp"

namespace {

constexpr size_t kWidth = 16; // the sub-group size that the kernel requires
constexpr const char *kPhotograph = "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg";

size_t roundUp(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Returns the position within [0, size) that is nearest to `position`.
size_t nearest(ptrdiff_t position, size_t size) {
  return std::min<size_t>(std::max<ptrdiff_t>(position, 0), size - 1);
}

// Pads rows to whole blocks of 16 pixels, and adds one block on either side. The added pixels repeat the nearest pixel
// of the row.
std::vector<uint32_t> padRows(const Picture &picture, size_t pitch) {
  std::vector<uint32_t> padded(pitch * picture.height);
  for (size_t y = 0; y < picture.height; ++y)
    for (size_t x = 0; x < pitch; ++x)
      padded[y * pitch + x] =
          picture.pixels[y * picture.width + nearest(ptrdiff_t(x) - ptrdiff_t(kWidth), picture.width)];
  return padded;
}

// Computes one pixel of the result on the host.
uint32_t filterPixel(const Picture &picture, size_t x, size_t y) {
  constexpr unsigned kWeights[5] = {1, 4, 6, 4, 1};
  uint32_t result = 0;
  for (unsigned channel = 0; channel < 32; channel += 8) {
    unsigned sum = 128; // rounds the division
    for (int dy = -2; dy <= 2; ++dy)
      for (int dx = -2; dx <= 2; ++dx) {
        const uint32_t pixel = picture.pixels[nearest(ptrdiff_t(y) + dy, picture.height) * picture.width +
                                              nearest(ptrdiff_t(x) + dx, picture.width)];
        sum += kWeights[dy + 2] * kWeights[dx + 2] * (pixel >> channel & 0xff);
      }
    result |= sum / 256 << channel;
  }
  return result;
}

bool verify(const Picture &source, const Picture &result) {
  for (size_t y = 0; y < source.height; ++y)
    for (size_t x = 0; x < source.width; ++x)
      if (const uint32_t expected = filterPixel(source, x, y), got = result.pixels[y * source.width + x];
          got != expected) {
        std::printf("MISMATCH at (%zu, %zu): %08x, expected %08x\n", x, y, got, expected);
        return false;
      }
  return true;
}

Picture readSource(const std::string &path) {
  if (path == kPhotograph && !std::ifstream(path))
    throw std::runtime_error("name a PNG or JPEG file with --picture, or install the default one:\n"
                             "  apt install python-matplotlib-data");
  return readPicture(path);
}

bool run(int argc, char **argv) {
  const example::Options options(argc, argv, {{"picture", kPhotograph}, {"output", "gaussian_filter.png"}});
  const Picture source = readSource(options.text("picture"));
  const size_t result_pitch = roundUp(source.width, kWidth);
  const size_t source_pitch = result_pitch + 2 * kWidth;
  std::vector<uint32_t> padded = padRows(source, source_pitch);

  const cl::Device device =
      example::chooseDevice(options.text("platform"), {"cl_intel_subgroups", "cl_intel_required_subgroup_size"});
  example::printDevice(device);
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program = example::buildProgram(context, device, EXAMPLE_DIRECTORY, "gaussian_filter.cl", "");
  cl::Kernel kernel(program, "gaussian_filter");

  const cl::Buffer input(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, padded.size() * 4, padded.data());
  const cl::Buffer output(context, CL_MEM_WRITE_ONLY, result_pitch * source.height * 4);
  kernel.setArg(0, input);
  kernel.setArg(1, output);
  kernel.setArg(2, cl_int(source.height));
  kernel.setArg(3, cl_int(source_pitch));
  kernel.setArg(4, cl_int(result_pitch));
  const cl::NDRange local(kWidth, 1);
  const double milliseconds = example::fastestMilliseconds(10, [&] {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(kWidth, source.height), local);
    queue.finish();
  });

  Picture result{source.width, source.height, std::vector<uint32_t>(source.pixels.size())};
  queue.enqueueReadBufferRect(output, CL_TRUE, {0, 0, 0}, {0, 0, 0}, {source.width * 4, source.height, 1},
                              result_pitch * 4, 0, source.width * 4, 0, result.pixels.data());
  writePng(options.text("output"), result);

  std::printf("Width     %zu work-items per sub-group\n", example::subGroupWidth(kernel, device, local));
  std::printf("Picture   %s, %zu x %zu -> %s\n", options.text("picture").c_str(), source.width, source.height,
              options.text("output").c_str());
  std::printf("Time      %.3f ms, %.0f megapixels per second\n", milliseconds,
              source.pixels.size() / milliseconds / 1e3);
  const bool right = verify(source, result);
  std::printf("%s\n", right ? "Verified: every pixel is the host's" : "FAILED");
  return right;
}

} // namespace

int main(int argc, char **argv) {
  return example::guarded([&] { return run(argc, argv); });
}
