// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The program that the tests of lanes debug. `FILE KERNEL OPTIONS GLOBAL LOCAL LIMIT` runs a kernel with the arguments
// in, out and limit, where in[i] is i, and prints what the kernel wrote. Sizes are like 64 or 12x6. FILE.spvasm is the
// text of a SPIR-V module.
#include "support/images.hpp"
#include "support/spirv.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

using namespace lanecl::test;

// The tests stop here, where the kernel has ended and its code is still loaded.
extern "C" [[gnu::noinline]] void kernel_is_done() {
  asm volatile("");
}

namespace {

// Returns the numbers of a text such as 12x6.
std::vector<size_t> sizesIn(std::string text) {
  std::replace(text.begin(), text.end(), 'x', ' ');
  std::istringstream words(text);
  return {std::istream_iterator<size_t>(words), {}};
}

std::string deviceText(cl_device_id device, cl_device_info what) {
  char text[256] = {};
  check(clGetDeviceInfo(device, what, sizeof text, text, nullptr), "clGetDeviceInfo");
  return text;
}

Program build(const Session &cl, const std::string &path, const char *options) {
  if (path.ends_with(".spvasm"))
    return buildIl(cl, createWithIl(cl, assemble(textOfFile(path))), options);
  std::ifstream file(path);
  return cl.build({std::istreambuf_iterator<char>(file), {}}, options);
}

// Arguments that a kernel may take in addition to in, out and limit: an image of 4 pixels, whose first components are
// 10, 11, 12 and 13, and a sampler.
struct Handles {
  explicit Handles(const Session &cl, const Kernel &kernel) {
    cl_uint count = 0;
    check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), "clGetKernelInfo");
    if (count < 5)
      return;
    const std::vector<float> pixels{10, 0, 0, 1, 11, 0, 0, 1, 12, 0, 0, 1, 13, 0, 0, 1};
    image = makeImage(cl, {CL_RGBA, CL_FLOAT}, CL_MEM_OBJECT_IMAGE2D, {4, 1, 1}, pixels);
    sampler = makeSampler(cl, false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    check(clSetKernelArg(kernel, 3, sizeof(cl_mem), image.address()), "clSetKernelArg");
    check(clSetKernelArg(kernel, 4, sizeof(cl_sampler), sampler.address()), "clSetKernelArg");
  }
  Memory image;
  Sampler sampler;
};

void run(char **arguments) {
  const std::vector<size_t> global = sizesIn(arguments[3]), local = sizesIn(arguments[4]);
  const size_t items = std::accumulate(global.begin(), global.end(), size_t{1}, std::multiplies<>());
  const Session cl;
  std::vector<int> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0);
  Memory in = cl.buffer(numbers), out = cl.bytes(items * sizeof(int));
  const Program program = build(cl, arguments[0], arguments[2]); // loaded until the end of run()
  const Kernel kernel = cl.kernel(program, arguments[1]);
  const Handles handles(cl, kernel);
  cl.run(kernel, global, local, in, out, cl_int(std::stoi(arguments[5])));
  std::printf("results:");
  for (int value : cl.read<int>(out))
    std::printf(" %d", value);
  std::printf("\ndriver: %s\n", deviceText(cl.device, CL_DRIVER_VERSION).c_str());
  kernel_is_done();
}

} // namespace

int main(int count, char **arguments) {
  if (count != 7)
    return 2;
  try {
    run(arguments + 1);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}
