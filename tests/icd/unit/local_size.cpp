// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The local sizes that LaneCL chooses for launches that leave them open.
#include "program/local_size.h"

#include <catch2/catch.hpp>

using namespace lanecl::icd;

TEST_CASE("a chosen local size divides the global size if it must") {
  for (uint64_t x : {1, 2, 7, 16, 31, 64, 100, 509, 512, 1000, 1021, 65536, 1000003})
    for (uint64_t y : {1, 3, 16, 37, 480})
      for (unsigned threads : {1u, 2u, 64u}) {
        const Size3 local = chooseLocalSize({x, y, 1}, threads, true);
        CAPTURE(x, y, threads, local[0], local[1]);
        CHECK(x % local[0] == 0);
        CHECK(y % local[1] == 0);
        CHECK(local[2] == 1);
        CHECK(local[0] * local[1] * local[2] <= 256);
      }
}

TEST_CASE("long rows are whole sub-groups") {
  const Size3 local = chooseLocalSize({1 << 20, 1, 1}, 2, true);
  CHECK(local == Size3{256, 1, 1});
}

TEST_CASE("a prime global size gets full work-groups and an edge if non-uniform ones are allowed") {
  const Size3 local = chooseLocalSize({1000003, 1, 1}, 2, false);
  CHECK(local[0] >= 64);
  CHECK(local[0] % 16 == 0);
}

TEST_CASE("a small range is spread over the threads") {
  const Size3 local = chooseLocalSize({1024, 1, 1}, 2, true);
  CHECK(1024 / local[0] >= 2 * 2);
}

TEST_CASE("a local size that no kernel can see fills the lanes whatever the shape of the range") {
  for (uint64_t x : {1, 2, 7, 31, 63, 64, 100, 1000, 2049, 65536, 1000003})
    for (uint64_t y : {1, 3, 16, 37, 480, 100003})
      for (uint64_t z : {1, 5}) {
        const Size3 local = freeLocalSize({x, y, z}, 2);
        CAPTURE(x, y, z, local[0], local[1], local[2]);
        const uint64_t items = local[0] * local[1] * local[2];
        CHECK(items <= 2048);
        CHECK(items >= std::min<uint64_t>(x * y * z, 32));
        CHECK((local[0] <= x || local[0] % 32 == 0));
        CHECK(local[1] <= y);
        CHECK(local[2] <= z);
        // There are enough work-groups for both threads if there is work for them.
        if (x * y * z >= 1024)
          CHECK(((x + local[0] - 1) / local[0]) * ((y + local[1] - 1) / local[1]) * ((z + local[2] - 1) / local[2]) >=
                4);
      }
}

TEST_CASE("the largest range gets a local size") {
  CHECK(freeLocalSize({UINT64_MAX, 1, 1}, 2) == Size3{2048, 1, 1});
  CHECK(freeRows({1, UINT64_MAX, 1}, 2)[1] == 2048);
  CHECK(chooseLocalSize({UINT64_MAX, 1, 1}, 2, false) == Size3{256, 1, 1});
}

TEST_CASE("few work-items that cannot see their work-group are spread over the threads by sub-groups") {
  CHECK(freeLocalSize({256, 1, 1}, 64) == Size3{32, 1, 1});
  CHECK(freeLocalSize({1 << 20, 1, 1}, 64) == Size3{2048, 1, 1});
}
