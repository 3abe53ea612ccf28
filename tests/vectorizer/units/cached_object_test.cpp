// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Objects of the cache are read back as they were written, and damaged ones are refused.
#include "codegen/cached_object.h"

#include <catch2/catch.hpp>
#include <set>

using namespace lanecl::vectorizer;

TEST_CASE("what the object cache stores comes back", "[cache]") {
  const CachedObject object{
      .facts = {1, 2, 3, 2, true, false, false, true},
      .width = 16,
      .spill_bytes = 4,
      .stack_bytes = 5,
      .object = std::string("ob\0ject", 7),
      .functions = {{"f", std::string("\0f", 2)}, {"g", ""}},
      .warning = "warning",
  };
  const std::string bytes = serialize(object);
  const auto back = deserialize(bytes);
  REQUIRE(back);
  CHECK(back->facts.local_bytes == 1);
  CHECK(back->facts.scratch_bytes == 2);
  CHECK(back->facts.scratch_per_sub_group == 3);
  CHECK(back->facts.row_axis == 2);
  CHECK(back->facts.updates_atomically);
  CHECK(back->facts.yields);
  CHECK(back->width == 16);
  CHECK(back->spill_bytes == 4);
  CHECK(back->stack_bytes == 5);
  CHECK(back->object == object.object);
  CHECK(back->warning == "warning");
  REQUIRE(back->functions.size() == 2);
  CHECK(back->functions[0].symbol == "f");
  CHECK(back->functions[0].object == object.functions[0].object);
  CHECK(back->functions[1].symbol == "g");
  CHECK(back->functions[1].object.empty());
  for (size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(deserialize(bytes.substr(0, size)));
  CHECK_FALSE(deserialize(bytes + "x"));
  CHECK_FALSE(deserialize("LaneCL"));
  CHECK_FALSE(deserialize(std::string(bytes.size(), 'x')));
}

TEST_CASE("everything the code depends on is in the cache's key", "[cache]") {
  const KernelSource source{"bitcode", "k", false, true};
  const LaunchClass launch{16, {64, 1, 1}, true};
  std::set<std::string> keys{
      cacheKey(source, launch, "cpu"),
      cacheKey(source, launch, "other cpu"),
      cacheKey({"bitcodE", "k", false, true}, launch, "cpu"),
      cacheKey({"bitcode", "l", false, true}, launch, "cpu"),
      cacheKey({"bitcodek", "", false, true}, launch, "cpu"),
      cacheKey({"bitcode", "k", true, true}, launch, "cpu"),
      cacheKey({"bitcode", "k", false, false}, launch, "cpu"),
      cacheKey({"bitcode", "k", false, true, true}, launch, "cpu"),
      cacheKey(source, {8, {64, 1, 1}, true}, "cpu"),
      cacheKey(source, {16, {0, 0, 0}, true}, "cpu"),
      cacheKey(source, {16, {64, 1, 1}, false}, "cpu"),
      cacheKey(source, {16, {64, 1, 1}, true, true}, "cpu"),
      cacheKey(source, {16, {0, 1, 1}, true}, "cpu"),
  };
  CHECK(keys.size() == 13);
  CHECK(cacheKey(source, launch, "cpu") == cacheKey(source, launch, "cpu"));
}
