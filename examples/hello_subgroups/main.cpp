// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shows how the work-items of a work-group map to sub-groups, for a local size of one to three dimensions.
//
//   example_hello_subgroups --local 24x3 --width 16
#include "common/example.hpp"

#include <array>
#include <sstream>

namespace {

using Size = std::array<size_t, 3>;

// Reads a text such as "24x3".
Size parseSize(const std::string &text) {
  Size size{1, 1, 1};
  std::istringstream stream(text);
  size_t dimension = 0;
  for (std::string part; std::getline(stream, part, 'x'); ++dimension) {
    if (dimension == 3 || part.empty() || part.size() > 4 ||
        part.find_first_not_of("0123456789") != std::string::npos || std::stoul(part) == 0)
      throw std::runtime_error("--local " + text + ": needs one to three sizes, for example 24x3");
    size[dimension] = std::stoul(part);
  }
  return size;
}

void print(const std::vector<cl_uint4> &places, const Size &local) {
  std::printf("Each work-item as sub-group:lane, one row of the work-group a line\n");
  for (size_t i = 0; i < places.size(); ++i) {
    if (local[2] > 1 && i % (local[0] * local[1]) == 0)
      std::printf("z = %zu\n", i / (local[0] * local[1]));
    std::printf("%3u:%-2u%s", places[i].s[0], places[i].s[1], (i + 1) % local[0] == 0 ? "\n" : "");
  }
}

// Sub-groups consist of consecutive work-items in linear order, x first. Only the last one may have fewer than `width`.
bool verify(const std::vector<cl_uint4> &places, size_t width) {
  const size_t count = (places.size() + width - 1) / width;
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t id = i / width;
    const size_t size = std::min(width, places.size() - id * width);
    const std::array<size_t, 4> expected{id, i % width, size, count};
    for (size_t k = 0; k < 4; ++k)
      if (places[i].s[k] != expected[k]) {
        const char *names[] = {"sub-group id", "lane", "sub-group size", "number of sub-groups"};
        std::printf("MISMATCH: work-item %zu has %s %u, expected %zu\n", i, names[k], places[i].s[k], expected[k]);
        return false;
      }
  }
  return true;
}

bool run(int argc, char **argv) {
  const example::Options options(argc, argv, {{"local", "24x3"}, {"width", "16"}});
  const Size local = parseSize(options.text("local"));
  const size_t asked = options.number("width", 0, 64); // 0: the device chooses
  const cl::NDRange range(local[0], local[1], local[2]);

  std::vector<std::string> extensions{"cl_intel_subgroups"};
  if (asked != 0)
    extensions.push_back("cl_intel_required_subgroup_size");
  const cl::Device device = example::chooseDevice(options.text("platform"), extensions);
  example::printDevice(device);
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program = example::buildProgram(context, device, EXAMPLE_DIRECTORY, "hello_subgroups.cl",
                                                    asked == 0 ? "" : "-DWIDTH=" + std::to_string(asked));
  cl::Kernel kernel(program, "hello_subgroups");

  std::vector<cl_uint4> places(local[0] * local[1] * local[2]);
  const size_t bytes = places.size() * sizeof(cl_uint4);
  const cl::Buffer buffer(context, CL_MEM_WRITE_ONLY, bytes);
  kernel.setArg(0, buffer);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, range, range); // one work-group
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, places.data());

  const size_t width = example::subGroupWidth(kernel, device, range);
  std::printf("Width     %zu work-items per sub-group\n", width);
  print(places, local);
  const bool right = verify(places, width);
  std::printf("%s\n", right ? "Verified: sub-groups are consecutive work-items" : "FAILED");
  return right;
}

} // namespace

int main(int argc, char **argv) {
  return example::guarded([&] { return run(argc, argv); });
}
