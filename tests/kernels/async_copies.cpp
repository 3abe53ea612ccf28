// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_extended_async_copies: copies of planes of lines, of elements of many sizes, into local memory and back,
// compared with the same copies on the host.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace lanecl::test;

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kTileBytes = 16384, kBufferBytes = 65536;

// Counted in elements of `size` bytes.
struct Side {
  size_t offset, line, plane;
};

struct Copy {
  size_t size, length, lines, planes;
  Side in, tile, out;
};

const char *const kSource = R"(
kernel void copy(global const uchar *in, global uchar *out, local uchar *tile, ulong8 shape, ulong8 more, int three) {
  const size_t l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  for (size_t i = l; i < 16384; i += n) tile[i] = 0xee;
  barrier(CLK_LOCAL_MEM_FENCE);
  const size_t size = shape.s0, length = shape.s1, lines = shape.s2, planes = shape.s3;
  event_t e = three ? async_work_group_copy_3D3D(tile, more.s0, in, shape.s4, size, length, lines, planes, shape.s5,
                                                 shape.s6, more.s1, more.s2, 0)
                    : async_work_group_copy_2D2D(tile, more.s0, in, shape.s4, size, length, lines, shape.s5, more.s1, 0);
  wait_group_events(1, &e);
  e = three ? async_work_group_copy_3D3D(out, more.s3, tile, more.s0, size, length, lines, planes, more.s1, more.s2,
                                         more.s4, more.s5, 0)
            : async_work_group_copy_2D2D(out, more.s3, tile, more.s0, size, length, lines, more.s1, more.s4, 0);
  wait_group_events(1, &e);
})";

void copyOnHost(Bytes &to, const Side &to_side, const Bytes &from, const Side &from_side, const Copy &copy) {
  for (size_t plane = 0; plane < copy.planes; ++plane)
    for (size_t line = 0; line < copy.lines; ++line)
      for (size_t i = 0; i < copy.length * copy.size; ++i) {
        const auto at = [&](const Side &side) {
          return (side.offset + plane * side.plane + line * side.line) * copy.size + i;
        };
        to[at(to_side)] = from.at(at(from_side));
      }
}

// Makes a side with gaps between its lines and planes.
Side side(const Copy &copy, size_t offset, size_t gap) {
  const size_t line = copy.length + gap;
  return {offset, line, line * copy.lines + gap};
}

cl_ulong8 eight(std::initializer_list<size_t> values) {
  cl_ulong8 result{};
  std::copy(values.begin(), values.end(), result.s);
  return result;
}

void checkCopy(const Session &cl, const Kernel &kernel, const Copy &copy, const std::vector<size_t> &local) {
  Bytes input(kBufferBytes), want(kBufferBytes, 0x55), tile(kTileBytes);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = uint8_t(i * 167 + i / 251);
  copyOnHost(tile, copy.tile, input, copy.in, copy);
  Memory in = cl.buffer(input), out = cl.buffer(want);
  copyOnHost(want, copy.out, tile, copy.tile, copy);
  cl.run(kernel, local, local, in, out, Local{kTileBytes},
         eight({copy.size, copy.length, copy.lines, copy.planes, copy.in.offset, copy.in.line, copy.in.plane}),
         eight({copy.tile.offset, copy.tile.line, copy.tile.plane, copy.out.offset, copy.out.line, copy.out.plane}),
         cl_int(copy.planes > 1));
  INFO("size " << copy.size << " length " << copy.length << " lines " << copy.lines << " planes " << copy.planes);
  CHECK(cl.read<uint8_t>(out) == want);
}

} // namespace

TEST_CASE("asynchronous copies of planes of lines", "[async_copies]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build(kSource, "-cl-std=CL3.0"), "copy");
  for (size_t size : {1, 2, 3, 4, 6, 8, 12, 16, 32, 128})
    for (size_t length : {1, 2, 5, 20})
      for (size_t lines : {1, 3, 11})
        for (size_t planes : {1, 2}) {
          Copy copy{size, length, lines, planes, {}, {}, {}};
          copy.in = side(copy, 3, 2), copy.tile = side(copy, size < 16 ? 1 : 0, 0), copy.out = side(copy, 2, 5);
          if ((copy.tile.offset + planes * copy.tile.plane) * size > kTileBytes)
            continue;
          for (const auto &local : std::vector<std::vector<size_t>>{{64}, {5}, {7, 3}, {4, 3, 3}})
            checkCopy(cl, kernel, copy, local);
        }
}

TEST_CASE("a copy of one column is a strided copy", "[async_copies]") {
  Session cl;
  const Program program = cl.build(R"(
kernel void columns(global const int *in, global int *out) {
  local int tile[64], again[64];
  event_t e = async_work_group_copy_2D2D(tile, 0, in, 0, sizeof(int), 1, 64, 3, 1, 0);
  e = async_work_group_strided_copy(again, in, 64, 3, e);
  wait_group_events(2, &e);
  out[get_local_id(0)] = tile[get_local_id(0)] * (tile[get_local_id(0)] == again[get_local_id(0)]);
})",
                                   "-cl-std=CL1.2");
  std::vector<int> input(3 * 64);
  std::iota(input.begin(), input.end(), 1);
  Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(64));
  cl.run(cl.kernel(program, "columns"), {64}, {64}, in, out);
  std::vector<int> want(64);
  for (int i = 0; i < 64; ++i)
    want[i] = 3 * i + 1;
  CHECK(cl.read<int>(out) == want);
}
