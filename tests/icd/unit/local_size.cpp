// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/local_size.h"

#include <catch2/catch.hpp>

using namespace lanecl::icd;

TEST_CASE("a chosen local size divides the global size when it must") {
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

TEST_CASE("a prime global size gets full work-groups and an edge where non-uniform ones are allowed") {
  const Size3 local = chooseLocalSize({1000003, 1, 1}, 2, false);
  CHECK(local[0] >= 64);
  CHECK(local[0] % 16 == 0);
}

TEST_CASE("a small range is spread over the threads") {
  const Size3 local = chooseLocalSize({1024, 1, 1}, 2, true);
  CHECK(1024 / local[0] >= 2 * 2);
}
