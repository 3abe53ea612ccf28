// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops in steps of the launch's size, which the sub-groups of a row run together.
#include "each_item.hpp"

#include <array>
#include <functional>

using namespace lanecl::test;

namespace {

struct Launch {
  size_t global, offset, count;
};

// In repeated runs each kernel gets one launch in five. The first one differs from that of the kernel before.
std::vector<Launch> launches() {
  static size_t turn = 0;
  size_t number = turn++;
  std::vector<Launch> result;
  for (const size_t global : {1, 7, 31, 32, 64, 100, 256, 1000, 4099, 40000})
    for (const size_t count : {size_t(0), size_t(1), global - 1, global, global + 1, 2 * global + 5, 9 * global + 17})
      for (const size_t offset : {size_t(0), size_t(5)})
        if (isInTurn(number++, isRepeated() ? 5 : 1))
          result.push_back({global, offset, count});
  return result;
}

// `run` does on the host what the work-item with this global id does.
void checkLaunch(const Session &cl, const Program &program, const Launch &launch,
                 const std::function<void(std::vector<uint32_t> &, size_t item)> &run) {
  const size_t cells = launch.count + 2 * launch.global + 64;
  std::vector<uint32_t> in(cells), want(cells, 77);
  for (size_t i = 0; i < cells; ++i)
    in[i] = uint32_t(i * 2654435761u + 12345);
  Memory source = cl.buffer(in), out = cl.buffer(want);
  const Kernel kernel = cl.kernel(program, "k");
  cl.setArguments(kernel, source, out, cl_uint(launch.count), cl_uint(launch.global));
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, &launch.offset, &launch.global, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  for (size_t item = 0; item < launch.global; ++item)
    run(want, launch.offset + item);
  INFO("global size " << launch.global << ", offset " << launch.offset << ", " << launch.count << " elements");
  CHECK((cl.read<uint32_t>(out) == want));
}

uint32_t valueOf(size_t i) {
  return uint32_t(i * 2654435761u + 12345);
}

} // namespace

TEST_CASE("each number of a loop in steps of the launch's size is computed once", "[row_loops]") {
  const Session cl;
  for (const char *type : {"int", "uint", "long", "ulong"})
    for (const char *going_on : {"i < (T)n", "(T)n > i", "i + 3 < (T)n", "i <= (T)n", "!(i >= (T)n)"}) {
      const Program program = cl.build("#define T " + std::string(type) + R"(
kernel void k(const global uint *in, global uint *out, uint n, uint step) {
  for (T i = get_global_id(0); )" + going_on +
                                           R"(; i += get_global_size(0))
    out[i] = in[i] * 3 + i;
})",
                                       "-cl-std=CL3.0");
      const size_t more = std::string(going_on) == "i <= (T)n" ? 1 : 0, fewer = going_on[2] == '+' ? 3 : 0;
      for (const Launch &launch : launches())
        checkLaunch(cl, program, launch, [&](std::vector<uint32_t> &out, size_t item) {
          for (size_t i = item; i + fewer < launch.count + more; i += launch.global)
            out[i] = uint32_t(valueOf(i) * 3 + i);
        });
    }
}

// In the next turn, a work-item loads what it stored in this one.
TEST_CASE("a work-item's turns stay in order", "[row_loops]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void k(const global uint *in, global uint *out, uint n, uint step) {
  for (size_t i = get_global_id(0); i < n; i += step)
    out[i + step] = out[i] * 5 + in[i];
})",
                                   "-cl-std=CL3.0");
  for (const Launch &launch : launches())
    checkLaunch(cl, program, launch, [&](std::vector<uint32_t> &out, size_t item) {
      for (size_t i = item; i < launch.count; i += launch.global)
        out[i + launch.global] = out[i] * 5 + valueOf(i);
    });
}

TEST_CASE("turns with their own conditions", "[row_loops]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void k(const global uint *in, global uint *out, uint n, uint step) {
  for (uint i = get_global_id(0); i < n; i += step)
    if (in[i] % 3 == 0)
      out[i] = in[i] / 7;
    else if (i % 5 == 2)
      out[i] += i;
})",
                                   "-cl-std=CL3.0");
  for (const Launch &launch : launches())
    checkLaunch(cl, program, launch, [&](std::vector<uint32_t> &out, size_t item) {
      for (size_t i = item; i < launch.count; i += launch.global)
        if (valueOf(i) % 3 == 0)
          out[i] = valueOf(i) / 7;
        else if (i % 5 == 2)
          out[i] += uint32_t(i);
    });
}

// Numbers of 32 bits wrap around after the last element, or before the first one of all work-items.
TEST_CASE("loop counters that wrap around", "[row_loops]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void k(const global uint *in, global uint *out, uint n, uint step) {
  for (uint i = (uint)get_global_id(0) - 50u; i < n; i += step)
    out[i] = in[i] + 1;
})",
                                   "-cl-std=CL3.0");
  for (const Launch &launch : launches())
    checkLaunch(cl, program, launch, [&](std::vector<uint32_t> &out, size_t item) {
      for (uint32_t i = uint32_t(item) - 50u; i < launch.count; i += uint32_t(launch.global))
        out[i] = valueOf(i) + 1;
    });
}

// Rows that consist of several lines of the range, along one dimension or the other.
TEST_CASE("loops in steps of the launch's size in two dimensions", "[row_loops]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void along(global uint *out, uint n, uint pitch) {
  for (uint x = get_global_id(0); x < n; x += get_global_size(0))
    out[get_global_id(1) * pitch + x] = x * 3 + get_global_id(1);
}
kernel void across(global uint *out, uint n, uint pitch) {
  for (uint y = get_global_id(1); y < n; y += get_global_size(1))
    out[y * pitch + get_global_id(0)] = y * 3 + get_global_id(0);
})",
                                   "-cl-std=CL3.0");
  for (const std::array<size_t, 2> global :
       {std::array<size_t, 2>{4096, 3}, {3, 4096}, {2048, 70}, {70, 2048}, {65, 64}})
    for (const bool is_along : {true, false}) {
      const size_t step = global[is_along ? 0 : 1], lines = global[is_along ? 1 : 0], count = 5 * step + 19;
      const size_t width = is_along ? count : lines, height = is_along ? lines : count;
      std::vector<uint32_t> want(width * height);
      for (size_t y = 0; y < height; ++y)
        for (size_t x = 0; x < width; ++x)
          want[y * width + x] = uint32_t(is_along ? x * 3 + y : y * 3 + x);
      Memory out = cl.buffer(std::vector<uint32_t>(want.size(), 77));
      const Kernel kernel = cl.kernel(program, is_along ? "along" : "across");
      cl.setArguments(kernel, out, cl_uint(count), cl_uint(width));
      check(clEnqueueNDRangeKernel(cl.queue, kernel, 2, nullptr, global.data(), nullptr, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
      INFO("global size " << global[0] << " x " << global[1] << ", " << (is_along ? "along x" : "along y"));
      CHECK((cl.read<uint32_t>(out) == want));
    }
}
