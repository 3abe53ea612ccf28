// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Watches of memory that appears and goes.
#include "api/memory_watch.h"

#include <catch2/catch.hpp>

using namespace lanecl::icd;

namespace {

int made[3], objects = 0;

template <int kNumber> void count(const void *, size_t, const char *) {
  ++made[kNumber];
}
void ignore(const void *, size_t) {}
void ignoreCall(const char *, const void *, size_t) {}
void countObject(const void *) {
  ++objects;
}

constexpr MemoryWatch kFirst{count<0>, ignore, ignoreCall}, kSecond{count<1>, ignore, ignoreCall, countObject},
    kThird{count<2>, ignore, ignoreCall};

} // namespace

TEST_CASE("all registered watches are called", "[memory_watch]") {
  noteMemoryMade(nullptr, 0, "nothing");
  for (const MemoryWatch *watch : {&kFirst, &kSecond, &kThird})
    watchMemory(*watch);
  noteMemoryMade(nullptr, 0, "nothing");
  noteMemoryObjectGone(nullptr);
  CHECK(made[0] == 1);
  CHECK(made[1] == 1);
  CHECK(made[2] == 1);
  CHECK(objects == 1);
}
