// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bits that OpenCL C leaves open: which bits of results the evaluation says are known, and what it refuses.
#include "tests/kernels.h"

#include "evaluate/operations.h"
#include "evaluate/unknown_bits.h"
#include "generate/generators.h"
#include "print/print.h"
#include "reduce/reduce.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lanecl::fuzz;

namespace {

constexpr uint64_t kAll = ~uint64_t(0);
const Type kUChar4{Base::UChar, 4};

// Whether only bits that are said to be unknown differ.
bool agree(uint64_t a, uint64_t b, uint64_t unknown) {
  return ((a ^ b) & ~unknown) == 0;
}

// Returns what the first work-item leaves in the output.
Scalar outOf(Kernel kernel, uint64_t choice = 0, Unguarded *guards = nullptr) {
  Unguarded unguarded;
  Unknown unknown{.choice = choice};
  findNeeds(kernel);
  const Contents contents = evaluate(kernel, kernel.launches[0], 16, unguarded, nullptr, &unknown);
  if (guards)
    *guards = unguarded;
  return {contents[kOut][0], unknown.bits[kOut][0]};
}

ExprPtr plainOp(Op o, ExprPtr left, ExprPtr right) {
  Expr copy = *op(o, std::move(left), std::move(right));
  copy.plain = true;
  return make(std::move(copy));
}

const ExprPtr kQuotient = plainOp(Op::Div, number(5), number(0));
const ExprPtr kId = ask(Query::GlobalId);

Stmt declareOpen(Kernel &kernel, ExprPtr value) {
  const Stmt s = declare(kernel, std::move(value));
  kernel.functions[0].variables.back().open = true;
  return s;
}

Stmt assign(unsigned number, ExprPtr value) {
  return {.kind = Stmt::Kind::Assign, .target = {.variable = number}, .values = {std::move(value)}};
}

ExprPtr as(Type type, ExprPtr e) {
  return make({.kind = Expr::Kind::Reinterpret, .type = type, .args = {std::move(e)}});
}

ExprPtr threeBytes() {
  return vectorOf(Base::UChar,
                  {constant({Base::UChar, 1}, 1), constant({Base::UChar, 1}, 2), constant({Base::UChar, 1}, 3)});
}

Kernel storing(ExprPtr value) {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {store(kOut, kId, std::move(value))};
  return kernel;
}

} // namespace

TEST_CASE("bits that are said to be known do not depend on unknown ones", "[unknown-bits]") {
  std::mt19937_64 random(1);
  const auto sparse = [&](Base base) { return truncated(base, random() & random() & (random() % 3 ? random() : 0)); };
  for (unsigned trial = 0; trial < 200'000; ++trial) {
    const Op o = Op(random() % (unsigned(Op::Upsample) + 1));
    const Type type{Base(random() % kIntegerBases), uint8_t(1 + random() % 2)};
    const bool logical = infoOf(o).form == Form::Logical;
    if (logical || (o == Op::Upsample && bitsOf(type.base) == 64))
      continue;
    const Base to = infoOf(o).form == Form::Comparison ? type.lanes == 1 ? Base::Int : maskOf(type.base)
                    : o == Op::Upsample                ? Base(unsigned(type.base) + 2)
                                                       : type.base;
    Scalar operands[3];
    for (Scalar &s : operands) {
      s = {truncated(type.base, random() % 2 ? random() : random() % 16), random() % 3 ? sparse(type.base) : 0};
      s.unknown = random() % 8 ? s.unknown : truncated(type.base, kAll);
    }
    for (unsigned i = infoOf(o).operands; i < 3; ++i)
      operands[i] = {};
    const Result first = operate(o, type, operands[0].bits, operands[1].bits, operands[2].bits);
    const uint64_t unknown = unknownBits(o, type, to, operands);
    const bool may_overflow = mayOverflow(o, type, operands);
    CHECK((unknown & ~truncated(to, kAll)) == 0);
    for (unsigned other = 0; other < 4; ++other) {
      uint64_t bits[3];
      for (unsigned i = 0; i < 3; ++i)
        bits[i] = operands[i].bits ^ (random() & operands[i].unknown);
      const Result r = operate(o, type, bits[0], bits[1], bits[2]);
      INFO(infoOf(o).text << " of " << nameOf(type));
      CHECK(agree(r.bits, first.bits, unknown));
      const bool overflows = o == Op::Add || o == Op::Sub || o == Op::Mul || o == Op::Negate;
      CHECK((may_overflow || !overflows || !r.undefined));
    }
  }
}

TEST_CASE("conversions move unknown bits along", "[unknown-bits]") {
  CHECK(unknownBitsOfConversion(Base::UInt, Base::UChar, {0, 0x80}, false) == 0x80);
  CHECK(unknownBitsOfConversion(Base::Int, Base::Char, {0, 0x80}, false) == 0xffffff80);
  CHECK(unknownBitsOfConversion(Base::UChar, Base::Int, {0, 0xff00}, false) == 0);
  CHECK(unknownBitsOfConversion(Base::UChar, Base::Int, {0x100, 0xff00}, true) != 0);
  CHECK(unknownBitsOfConversion(Base::UChar, Base::UShort, {0x8001, 0xf00}, true) == 0);
}

TEST_CASE("the known bits are the same for every choice of the open bits", "[unknown-bits]") {
  unsigned open = 0, made = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const std::optional<Sample> sample = generate(generatorNamed("undefined"), {}, seed);
    if (!sample)
      continue;
    ++made;
    for (uint64_t choice : {kAll, uint64_t(0x5aa55aa55aa55aa5), uint64_t(0x0101010101010101)}) {
      Unguarded unguarded;
      Unknown unknown{.choice = choice};
      const Outcome &outcome = sample->outcomes[0];
      const Contents contents = evaluate(sample->kernel, sample->kernel.launches[0], outcome.width ? outcome.width : 16,
                                         unguarded, nullptr, &unknown);
      for (size_t memory = 0; memory < contents.size(); ++memory)
        for (size_t i = 0; i < contents[memory].size(); ++i) {
          INFO("seed " << seed << ", memory " << memory << ", cell " << i);
          const uint64_t mask = unknown.bits[memory][i] | outcome.unknown[memory][i];
          open += mask != 0;
          if (!agree(contents[memory][i], outcome.contents[memory][i], mask))
            FAIL("differs");
        }
    }
  }
  CHECK(made > 130);
  CHECK(open > 1000);
}

TEST_CASE("a vector of three has no fourth component", "[unknown-bits]") {
  const Scalar s = outOf(storing(as(kInt, as(kUChar4, threeBytes()))), kAll);
  CHECK(s.unknown == 0xff000000);
  CHECK((s.bits & 0xffffff) == 0x030201);
}

TEST_CASE("a quotient by zero has the same value wherever it is used", "[unknown-bits]") {
  Kernel kernel = emptyKernel();
  const Stmt v = declareOpen(kernel, kQuotient);
  const auto with = [&](ExprPtr value) {
    kernel.functions[0].body = {v, store(kOut, kId, std::move(value))};
    return outOf(kernel);
  };
  CHECK(with(variable(0)).unknown == 0xffffffff);
  CHECK(with(op(Op::And, variable(0), number(0))).unknown == 0);
  const Scalar same = with(op(Op::Equal, variable(0), variable(0)));
  CHECK(same.unknown == 0);
  CHECK(same.bits == 1);
  CHECK(with(op(Op::Equal, kQuotient, kQuotient)).unknown == 1);
  Unguarded unguarded;
  const Scalar sum = outOf(storing(op(Op::Add, kQuotient, number(1))), 0, &unguarded);
  CHECK(sum.unknown == 0xffffffff);
  CHECK(unguarded.expressions.size() == 1); // it may overflow
}

TEST_CASE("what only one of two ways writes is unknown until it is written again", "[unknown-bits]") {
  Kernel kernel = emptyKernel();
  const Stmt v = declareOpen(kernel, kQuotient), x = declare(kernel, number(1));
  const ExprPtr holds = op(Op::Greater, variable(0), number(3));
  const Stmt either = branch(holds, {assign(1, number(9)), store(kOut, kId, number(7))});
  kernel.functions[0].body = {v, x, store(kOut, kId, number(3)), either};
  CHECK(outOf(kernel).unknown == 4);
  Block &body = kernel.functions[0].body;
  body.back() = branch(holds, {assign(1, number(9))});
  body.push_back(store(kOut, kId, variable(1)));
  CHECK(outOf(kernel).unknown == 8);
  CHECK(outOf(kernel, kAll).bits == 1);
  body.insert(body.end() - 1, assign(1, number(42)));
  CHECK(outOf(kernel).unknown == 0);
  CHECK(outOf(kernel).bits == 42);
}

TEST_CASE("a loop with an unknown limit ends at the largest possible one", "[unknown-bits]") {
  Kernel kernel = emptyKernel();
  const Stmt v = declareOpen(kernel, kQuotient), x = declare(kernel, number(0)), i = declare(kernel, nullptr);
  Stmt loop{.kind = Stmt::Kind::For,
            .target = {.variable = 2},
            .values = {number(0), op(Op::And, variable(0), number(3))},
            .blocks = {{assign(1, op(Op::Or, variable(1), number(16)))}},
            .number = 1};
  kernel.functions[0].body = {v, x, loop, store(kOut, kId, variable(1))};
  CHECK(outOf(kernel).unknown == 16);
  CHECK(outOf(kernel, kAll).bits == 16);
}

TEST_CASE("flow must not depend on unwritten memory, nor leave a loop by chance", "[unknown-bits]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].variables = {{.name = "v0", .type = kUChar4, .open = true}};
  const ExprPtr whole = make({.kind = Expr::Kind::Variable, .type = kUChar4});
  const auto component = [&](int64_t i) {
    return make({.kind = Expr::Kind::Component, .type = {Base::UChar, 1}, .args = {whole}, .number = i});
  };
  Stmt write{.kind = Stmt::Kind::Assign,
             .target = {.swizzle = {.components = {1}}},
             .values = {constant({Base::UChar, 1}, 5)}};
  const auto with = [&](Stmt last) {
    kernel.functions[0].body = {{.kind = Stmt::Kind::Declare}, write, std::move(last)};
    return outOf(kernel);
  };
  CHECK(with(store(kOut, kId, as(kInt, whole))).unknown == 0xffff00ff);
  CHECK(with(branch(component(1), {store(kOut, kId, number(1))})).bits == 1);
  CHECK_THROWS_AS(with(branch(component(0), {})), Rejected);
  CHECK_THROWS_AS(with(branch(op(Op::Equal, kQuotient, number(1)), {{.kind = Stmt::Kind::Return}})), Rejected);
}

TEST_CASE("kernels with open bits stay valid when they are reduced", "[unknown-bits]") {
  unsigned reduced = 0;
  for (uint64_t seed = 1; reduced < 3; ++seed) {
    const std::optional<Sample> sample = generate(generatorNamed("undefined"), {}, seed);
    const auto fails = [](const Kernel &kernel) { // the device is assumed to fail if bits of a quotient are stored
      Unguarded unguarded;
      try {
        const std::vector<Outcome> outcomes = evaluateLaunches(kernel, unguarded);
        return unguarded.empty() && print({&kernel}, false).source.find(" / ") != std::string::npos &&
               std::any_of(outcomes[0].unknown.begin(), outcomes[0].unknown.end(), [](const auto &cells) {
                 return std::any_of(cells.begin(), cells.end(), [](uint64_t bits) { return bits != 0; });
               });
      } catch (const Rejected &) {
        return false;
      }
    };
    if (!sample || !fails(sample->kernel))
      continue;
    const Kernel small = reduce(sample->kernel, fails);
    INFO(print({&small}, false).source);
    CHECK(fails(small));
    CHECK(print({&small}, false).source.size() < 700);
    ++reduced;
  }
}
