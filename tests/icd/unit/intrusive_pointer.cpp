// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ref, the pointer that counts the references to API objects.
#include "api/ref.h"

#include <catch2/catch.hpp>

using lanecl::icd::Ref;

namespace {

// An object that writes its number of references to a variable that outlives it.
struct Counted {
  explicit Counted(int &count_) : count(count_) { count = 1; }
  void retainInternal() { ++count; }
  void releaseInternal() {
    if (--count == 0)
      delete this;
  }
  int &count;
};

} // namespace

TEST_CASE("a pointer that adopts releases the first reference") {
  int count = 0;
  {
    auto pointer = Ref<Counted>::adopt(new Counted(count));
  }
  CHECK(count == 0);
}

TEST_CASE("copies count, moves do not") {
  int count = 0;
  auto first = Ref<Counted>::adopt(new Counted(count));
  Ref<Counted> copy = first;
  CHECK(count == 2);
  Ref<Counted> moved = std::move(copy);
  CHECK(count == 2);
  CHECK_FALSE(copy); // NOLINT(bugprone-use-after-move): that is the test
  moved = Ref<Counted>();
  CHECK(count == 1);
}

TEST_CASE("assignment releases what was held, moved or copied in") {
  int a = 0, b = 0;
  auto first = Ref<Counted>::adopt(new Counted(a));
  auto second = Ref<Counted>::adopt(new Counted(b));
  first = std::move(second);
  CHECK(a == 0);
  CHECK(b == 1);
  first = *&first;
  CHECK(b == 1);
}

TEST_CASE("detach keeps the reference, swap exchanges") {
  int a = 0, b = 0;
  auto first = Ref<Counted>::adopt(new Counted(a));
  auto second = Ref<Counted>::adopt(new Counted(b));
  first.swap(second);
  CHECK(&first->count == &b);
  Counted *raw = first.detach();
  CHECK(b == 1);
  raw->releaseInternal();
  CHECK(b == 0);
}
