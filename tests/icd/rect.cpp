// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The …Rect commands.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace lanecl::test;

namespace {

// Returns a picture of 16x8 bytes in which each byte's value is its index.
std::vector<unsigned char> picture() {
  std::vector<unsigned char> bytes(128);
  std::iota(bytes.begin(), bytes.end(), 0);
  return bytes;
}

} // namespace

TEST_CASE("a rectangle is read out of a picture", "[rect]") {
  Session cl;
  Memory memory = cl.buffer(picture());
  const size_t buffer_origin[]{3, 2, 0}, host_origin[]{1, 1, 0}, region[]{4, 3, 1};
  std::vector<unsigned char> host(6 * 5, 255);
  REQUIRE(clEnqueueReadBufferRect(cl.queue, memory, CL_TRUE, buffer_origin, host_origin, region, 16, 0, 6, 0,
                                  host.data(), 0, nullptr, nullptr) == CL_SUCCESS);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 6; ++x) {
      const bool inside = x >= 1 && x < 5 && y >= 1 && y < 4;
      CHECK(int(host[y * 6 + x]) == (inside ? (y + 1) * 16 + x + 2 : 255));
    }
}

TEST_CASE("a rectangle is written into a picture", "[rect]") {
  Session cl;
  Memory memory = cl.buffer(picture());
  const std::vector<unsigned char> host(12, 200);
  const size_t buffer_origin[]{12, 5, 0}, host_origin[]{0, 0, 0}, region[]{4, 3, 1};
  REQUIRE(clEnqueueWriteBufferRect(cl.queue, memory, CL_TRUE, buffer_origin, host_origin, region, 16, 0, 0, 0,
                                   host.data(), 0, nullptr, nullptr) == CL_SUCCESS);
  std::vector<unsigned char> expected = picture();
  for (int y = 5; y < 8; ++y)
    std::fill_n(expected.begin() + y * 16 + 12, 4, 200);
  CHECK(cl.read<unsigned char>(memory) == expected);
}

TEST_CASE("a box is copied between buffers with different pitches", "[rect]") {
  Session cl;
  std::vector<unsigned char> source(4 * 4 * 4);
  std::iota(source.begin(), source.end(), 0);
  Memory from = cl.buffer(source), to = cl.buffer(std::vector<unsigned char>(5 * 6 * 3, 255));
  const size_t source_origin[]{1, 1, 1}, target_origin[]{2, 0, 1}, region[]{2, 3, 2};
  REQUIRE(clEnqueueCopyBufferRect(cl.queue, from, to, source_origin, target_origin, region, 4, 16, 5, 30, 0, nullptr,
                                  nullptr) == CL_SUCCESS);
  const auto result = cl.read<unsigned char>(to);
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      for (size_t x = 0; x < 2; ++x)
        CHECK(int(result[(z + 1) * 30 + y * 5 + x + 2]) == int((z + 1) * 16 + (y + 1) * 4 + x + 1));
  CHECK(std::count(result.begin(), result.end(), 255) == 90 - 12);
}

TEST_CASE("rectangles refuse what the specification refuses", "[rect]") {
  Session cl;
  Memory memory = cl.buffer(picture());
  char host[256];
  const size_t zero[]{0, 0, 0}, box[]{4, 4, 1}, empty[]{4, 0, 1}, high[]{4, 9, 1};
  const auto read = [&](const size_t *origin, const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                        size_t host_row, size_t host_slice, void *pointer) {
    return clEnqueueReadBufferRect(cl.queue, memory, CL_TRUE, origin, host_origin, region, row, slice, host_row,
                                   host_slice, pointer, 0, nullptr, nullptr);
  };
  CHECK(read(zero, zero, box, 16, 0, 0, 0, host) == CL_SUCCESS);
  CHECK(read(nullptr, zero, box, 16, 0, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, nullptr, box, 16, 0, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, nullptr, 16, 0, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, box, 16, 0, 0, 0, nullptr) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, empty, 16, 0, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, high, 16, 0, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, box, 3, 0, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, box, 16, 63, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, box, 16, 70, 0, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, box, 16, 0, 3, 0, host) == CL_INVALID_VALUE);
  CHECK(read(zero, zero, box, 16, 0, 4, 15, host) == CL_INVALID_VALUE);
  Memory hidden = cl.bytes(128, CL_MEM_HOST_NO_ACCESS);
  CHECK(clEnqueueReadBufferRect(cl.queue, hidden, CL_TRUE, zero, zero, box, 16, 0, 0, 0, host, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
}

TEST_CASE("copies of rectangles within one buffer", "[rect]") {
  Session cl;
  Memory memory = cl.buffer(picture());
  const size_t left[]{0, 0, 0}, near[]{3, 0, 0}, right[]{8, 0, 0}, box[]{4, 8, 1};
  const auto copy = [&](const size_t *to, size_t to_pitch) {
    return clEnqueueCopyBufferRect(cl.queue, memory, memory, left, to, box, 16, 0, to_pitch, 0, 0, nullptr, nullptr);
  };
  CHECK(copy(near, 16) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(right, 15) == CL_INVALID_VALUE);
  CHECK(copy(right, 16) == CL_SUCCESS);
  CHECK(cl.read<unsigned char>(memory)[7 * 16 + 8] == 112);
}
