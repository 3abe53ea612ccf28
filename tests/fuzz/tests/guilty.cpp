// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/guilty.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

// Compilers of two kernels, with 200 and 90 runs of passes, of which one makes wrong code.
Attempt compileWithWrongRun(int wrong, int last_run) {
  Attempt attempt{.fails = last_run < 0 || last_run >= wrong};
  for (const int all : {200, 90})
    for (int run = 1; run <= all && (last_run < 0 || run <= last_run); ++run)
      attempt.runs.push_back({run, (all == 200 ? "a" : "b") + std::to_string(run)});
  return attempt;
}

std::string guiltyOf(int wrong) {
  return guiltyPass([&](int last_run) { return compileWithWrongRun(wrong, last_run); });
}

} // namespace

TEST_CASE("bisection names the run that makes wrong code", "[guilty]") {
  CHECK(guiltyOf(1) == "guilty pass: a1, b1 (right with LANECL_BISECT=0, fails with 1)\n");
  CHECK(guiltyOf(90) == "guilty pass: a90, b90 (right with LANECL_BISECT=89, fails with 90)\n");
  CHECK(guiltyOf(91) == "guilty pass: a91 (right with LANECL_BISECT=90, fails with 91)\n");
  CHECK(guiltyOf(200) == "guilty pass: a200 (right with LANECL_BISECT=199, fails with 200)\n");
}

TEST_CASE("bisection says why no pass is guilty", "[guilty]") {
  CHECK(guiltyPass([](int) { return Attempt{true}; }).starts_with("it fails without any optimization"));
  CHECK(guiltyPass([](int) { return Attempt{false}; }).starts_with("it does not fail with LANECL_BISECT=-1"));
  const auto only_with_all = [](int last_run) { return Attempt{last_run < 0, {{1, "a"}, {2, "b"}}}; };
  CHECK(guiltyPass(only_with_all).starts_with("it does not always fail"));
}
