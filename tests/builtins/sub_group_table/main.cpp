// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every sub-group function, of every type, in sub-groups of every width, against references on the host.
#include "blocks.hpp"
#include "declared.hpp"
#include "runner.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace lanecl::test::table;

namespace {

void runTable(const char *name, std::vector<Family> (*families)(unsigned width), unsigned width) {
  Runner runner(name);
  runner.run(families(width), width);
  INFO(runner.failures());
  CHECK(runner.failures().empty());
}

} // namespace

// A test for each width, so that they run side by side.
#define FOR_EACH_WIDTH(name, tag) TEMPLATE_TEST_CASE_SIG(name, tag, ((unsigned Width), Width), 8, 16, 32)

FOR_EACH_WIDTH("broadcasts, shuffles and rotations, width", "[exchanges]") {
  runTable("broadcasts, shuffles and rotations", exchanges, Width);
}

FOR_EACH_WIDTH("reductions and scans, width", "[arithmetic]") {
  runTable("reductions and scans", arithmetic, Width);
}

FOR_EACH_WIDTH("votes, ballots and ids, width", "[votes]") {
  runTable("votes, ballots and ids", votes, Width);
}

FOR_EACH_WIDTH("block reads and writes, width", "[blocks]") {
  BlockRunner runner;
  runner.run(Width);
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
