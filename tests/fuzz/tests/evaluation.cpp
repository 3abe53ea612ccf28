// What the evaluation computes, what it refuses and where it asks for guards.
#include "tests/kernels.h"

#include "evaluate/evaluate.h"
#include "evaluate/operations.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

Contents run(Kernel &kernel, Unguarded &unguarded) {
  findNeeds(kernel);
  return evaluate(kernel, kernel.launches[0], 16, unguarded);
}

Contents run(Kernel &kernel) {
  Unguarded unguarded;
  return run(kernel, unguarded);
}

const ExprPtr kId = ask(Query::GlobalId), kNext = op(Op::Rem, op(Op::Add, kId, number(1)), number(16));

} // namespace

TEST_CASE("a halo is read and written where its guard says", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const Stmt x = declare(kernel, op(Op::Sub, kId, number(3)));
  kernel.functions[0].body = {x, branch(op(Op::GreaterEqual, variable(0), number(0)),
                                        {store(kOut, op(Op::Add, variable(0), number(3)), variable(0))})};
  Unguarded unguarded;
  const Contents contents = run(kernel, unguarded);
  CHECK(unguarded.empty());
  CHECK(contents[kOut][2] == truncated(Base::Int, uint64_t(-77)));
  CHECK(contents[kOut][5] == 2);
}

TEST_CASE("two work-items at one place are refused", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {store(kOut, op(Op::Div, kId, number(2)), kId)};
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("local memory of others is read behind a barrier only", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {
      store(kLocal, kId, kId), {.kind = Stmt::Kind::Barrier}, store(kOut, kId, load(kLocal, kNext))};
  CHECK(run(kernel)[kOut][15] == 0);
  kernel.functions[0].body.erase(kernel.functions[0].body.begin() + 1);
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("local memory that nobody wrote is not read", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {store(kOut, kId, load(kLocal, kId))};
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("a barrier that some work-items do not reach is refused", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {branch(op(Op::Less, kId, number(3)), {{.kind = Stmt::Kind::Barrier}})};
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("a guard is asked for where a work-item that comes by overflows", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const ExprPtr sum = op(Op::Add, kId, number(0x7ffffff8));
  kernel.functions[0].body = {branch(op(Op::Less, kId, number(8)), {store(kOut, kId, sum)})};
  Unguarded none, some;
  run(kernel, none);
  CHECK(none.empty());
  kernel.functions[0].body = {branch(op(Op::Less, kId, number(9)), {store(kOut, kId, sum)})};
  const Contents contents = run(kernel, some);
  CHECK(some.expressions == std::set<const Expr *>{sum.get()});
  CHECK(contents[kOut][8] == 0x80000000);
}

TEST_CASE("a variable that is read before it is assigned is noted", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {declare(kernel, nullptr), store(kOut, kId, variable(0))};
  Unguarded unguarded;
  run(kernel, unguarded);
  CHECK(unguarded.variables == std::set<std::pair<unsigned, unsigned>>{{0, 0}});
}

TEST_CASE("an endless loop is refused", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].variables.push_back({.name = "i", .type = {Base::UChar, 1}});
  const Type uchar{Base::UChar, 1};
  Stmt loop{
      .kind = Stmt::Kind::For, .values = {make({.type = uchar}), make({.type = kInt, .number = 300})}, .blocks = {{}}};
  loop.number = 1;
  kernel.functions[0].body = {loop};
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("operations at the edges of their types", "[evaluation]") {
  const auto bits = [](Op op, Base base, uint64_t a, uint64_t b, uint64_t c = 0) {
    return operate(op, {base, 1}, truncated(base, a), truncated(base, b), truncated(base, c)).bits;
  };
  CHECK(bits(Op::MadSat, Base::Long, 0, uint64_t(-1), uint64_t(-1)) == uint64_t(-1));
  CHECK(bits(Op::MadSat, Base::Long, 221, 1, INT64_MAX) == INT64_MAX);
  CHECK(bits(Op::MadSat, Base::ULong, UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
  CHECK(bits(Op::MulHi, Base::ULong, UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
  CHECK(bits(Op::Hadd, Base::Char, uint64_t(-128), uint64_t(-127)) == truncated(Base::Char, uint64_t(-128)));
  CHECK(bits(Op::Rhadd, Base::ULong, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
  CHECK(bits(Op::Div, Base::Char, uint64_t(-128), uint64_t(-1)) == 0x80); // of ints, and back
  CHECK(bits(Op::Shl, Base::Char, 1, 8) == 0);                            // of an int as well
  CHECK(bits(Op::Ctz, Base::Short, 0, 0) == 16);
  CHECK(operate(Op::Mul, {Base::UShort, 1}, 0xffff, 0xffff, 0).undefined);
  CHECK_FALSE(operate(Op::Mul, {Base::UShort, 2}, 0xffff, 0xffff, 0).undefined);
  CHECK(operate(Op::Div, {Base::Char, 2}, 0x80, 0xff, 0).undefined);
  CHECK(convert(Base::UChar, Base::Short, truncated(Base::Short, uint64_t(-5)), true) == 0);
  CHECK(convert(Base::Char, Base::ULong, UINT64_MAX, true) == 127);
}
