// Every sub-group function, of every type, in sub-groups of every width, against references on the host.
#include "blocks.hpp"
#include "declared.hpp"
#include "runner.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace lanecl::test::table;

namespace {

constexpr unsigned kWidths[] = {8, 16, 32};

void runTable(const char *name, std::vector<Family> (*families)(unsigned width)) {
  Runner runner(name);
  for (unsigned width : kWidths)
    runner.run(families(width), width);
  INFO(runner.failures());
  CHECK(runner.failures().empty());
}

} // namespace

TEST_CASE("broadcasts, shuffles and rotations", "[exchanges]") {
  runTable("broadcasts, shuffles and rotations", exchanges);
}

TEST_CASE("reductions and scans", "[arithmetic]") {
  runTable("reductions and scans", arithmetic);
}

TEST_CASE("votes, ballots and ids", "[votes]") {
  runTable("votes, ballots and ids", votes);
}

TEST_CASE("block reads and writes", "[blocks]") {
  BlockRunner runner;
  for (unsigned width : kWidths)
    runner.run(width);
  INFO(runner.failures());
  CHECK(runner.failures().empty());
}

TEST_CASE("every declared sub-group function is in the table", "[declared]") {
  std::set<std::string> covered;
  for (auto families : {exchanges, arithmetic, votes})
    for (const Family &family : families(16))
      for (const Call &call : family.calls)
        covered.insert(call.function);
  for (const BlockFunctions &functions : blockFunctions())
    for (const std::string &signature : functions.signatures())
      covered.insert(signature);
  const std::set<std::string> declared = declaredSubGroupFunctions(LANECL_OPENCL_HEADER);
  std::printf("sub-group functions: %zu in the header, %zu in the table\n", declared.size(), covered.size());
  CHECK(declared.size() > 900);
  for (const std::string &function : declared)
    CHECK_THAT(function, Catch::Predicate<std::string>([&](const std::string &f) { return covered.count(f) == 1; },
                                                       "is in the table"));
}
