// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Boxes in buffers, as clEnqueueCopyBufferRect takes them: their overlap and the validity of their pitches.
#include "memory/rect.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <vector>

using namespace lanecl::icd;

TEST_CASE("overlap of boxes agrees with counting bytes") {
  std::mt19937 random(7);
  const auto pick = [&](size_t from, size_t to) { return std::uniform_int_distribution<size_t>(from, to)(random); };
  std::vector<std::byte> memory(4096);
  int overlapping = 0;
  for (int round = 0; round < 2000; ++round) {
    const Box region{pick(1, 5), pick(1, 4), pick(1, 3)};
    const size_t row = region[0] + pick(0, 6), slice = row * (region[1] + pick(0, 3));
    const size_t origin_a[]{pick(0, 6), pick(0, 4), pick(0, 2)}, origin_b[]{pick(0, 6), pick(0, 4), pick(0, 2)};
    Rect a, b;
    REQUIRE(Rect::make(a, origin_a, region, row, slice) == CL_SUCCESS);
    REQUIRE(Rect::make(b, origin_b, region, row, slice) == CL_SUCCESS);
    std::set<size_t> bytes;
    bool expected = false;
    for (const Rect *rect : {&a, &b})
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          for (size_t x = 0; x < region[0]; ++x)
            expected |= !bytes.insert(rect->rowOffset(y, z) + x).second;
    CHECK(rectsOverlap(memory.data(), a, memory.data(), b, region) == expected);
    overlapping += expected;
  }
  CHECK(overlapping > 100);
}

TEST_CASE("pitches that do not fit the region are refused") {
  const size_t origin[]{0, 0, 0};
  const Box region{8, 4, 2};
  Rect rect;
  CHECK(Rect::make(rect, origin, region, 7, 0) == CL_INVALID_VALUE);
  CHECK(Rect::make(rect, origin, region, 8, 31) == CL_INVALID_VALUE);
  CHECK(Rect::make(rect, origin, region, 10, 45) == CL_INVALID_VALUE);
  CHECK(Rect::make(rect, origin, region, 10, 50) == CL_SUCCESS);
  CHECK(Rect::make(rect, origin, region, 0, 0) == CL_SUCCESS);
  CHECK(rect.row_pitch == 8);
  CHECK(rect.slice_pitch == 32);
}

TEST_CASE("sizes that overflow are refused") {
  const size_t origin[]{0, 2, 0};
  Rect rect;
  CHECK(Rect::make(rect, origin, {1, 1, 1}, SIZE_MAX, 0) == CL_INVALID_VALUE);
  CHECK(Rect::make(rect, origin, {SIZE_MAX, SIZE_MAX, 1}, 0, 0) == CL_INVALID_VALUE);
}
