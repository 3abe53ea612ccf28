// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A failing kernel becomes small and stays valid.
#include "tests/kernels.h"

#include "generate/generators.h"
#include "print/print.h"
#include "reduce/reduce.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

bool isValid(const Kernel &kernel) {
  try {
    Unguarded unguarded;
    evaluateLaunches(kernel, unguarded);
    return unguarded.empty();
  } catch (const Rejected &) {
    return false;
  }
}

bool contains(const Kernel &kernel, const std::string &text) {
  return print({&kernel}, false).source.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("what the failure does not need is removed", "[reduction]") {
  // The device is assumed to fail on remainders.
  const auto fails = [](const Kernel &kernel) { return isValid(kernel) && contains(kernel, " % "); };
  unsigned reduced = 0;
  for (uint64_t seed = 1; reduced < 3; ++seed) {
    const std::optional<Sample> sample = generate(generatorNamed("integers"), {}, seed);
    if (!sample || !fails(sample->kernel))
      continue;
    const Kernel small = reduce(sample->kernel, fails);
    INFO(print({&small}, false).source);
    CHECK(fails(small));
    CHECK(small.launches.size() == 1);
    CHECK(small.launches[0].items() == 1);
    CHECK(small.functions.size() <= 2);
    CHECK(print({&small}, false).source.size() < 500);
    ++reduced;
  }
}

TEST_CASE("a barrier that is needed is kept", "[reduction]") {
  const ExprPtr id = ask(Query::GlobalId);
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {
      store(kLocal, id, op(Op::Mul, id, number(3))),
      {.kind = Stmt::Kind::Barrier},
      store(kOut, id, id),
      store(kOut, id, load(kLocal, op(Op::Rem, op(Op::Add, id, number(1)), ask(Query::LocalItems))))};
  const Kernel small =
      reduce(kernel, [](const Kernel &k) { return isValid(k) && k.launches[0].items() > 1 && contains(k, "= loc["); });
  INFO(print({&small}, false).source);
  CHECK(contains(small, "% (int)") == contains(kernel, "% (int)"));
  CHECK(isValid(small));
}

TEST_CASE("every generator makes valid kernels", "[reduction]") {
  for (const Generator &generator : kGenerators) {
    unsigned made = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed)
      if (const std::optional<Sample> sample = generate(generator, {}, seed)) {
        ++made;
        INFO(generator.name << " " << seed);
        CHECK(isValid(sample->kernel));
      }
    CHECK(made > 50);
  }
}
