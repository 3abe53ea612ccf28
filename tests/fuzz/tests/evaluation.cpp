// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the evaluation computes, what it refuses, and where it asks for guards.
#include "tests/kernels.h"

#include "evaluate/operations.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

Contents run(Kernel &kernel) {
  Unguarded unguarded;
  return lanecl::fuzz::run(kernel, unguarded);
}

const ExprPtr kId = ask(Query::GlobalId), kNext = op(Op::Rem, op(Op::Add, kId, number(1)), number(16));

} // namespace

TEST_CASE("a halo is read and written where its guard permits", "[evaluation]") {
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

TEST_CASE("two work-items that access one place are refused", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {store(kOut, op(Op::Div, kId, number(2)), kId)};
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("local memory of other work-items is read only after a barrier", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {
      store(kLocal, kId, kId), {.kind = Stmt::Kind::Barrier}, store(kOut, kId, load(kLocal, kNext))};
  CHECK(run(kernel)[kOut][15] == 0);
  kernel.functions[0].body.erase(kernel.functions[0].body.begin() + 1);
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("uninitialized local memory is not read", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {store(kOut, kId, load(kLocal, kId))};
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("a barrier that some work-items do not reach is refused", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].body = {branch(op(Op::Less, kId, number(3)), {{.kind = Stmt::Kind::Barrier}})};
  CHECK_THROWS_AS(run(kernel), Rejected);
}

TEST_CASE("a guard is asked for if a work-item that reaches the expression overflows", "[evaluation]") {
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

TEST_CASE("a variable that is read before it is assigned is recorded", "[evaluation]") {
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

namespace {

// Adds struct { char f0; int3 f1; short f2[2]; }.
Type addPadded(Kernel &kernel) {
  return addRecord(kernel.records, {.name = "S",
                                    .fields = {{.name = "f0", .type = {Base::Char, 1}},
                                               {.name = "f1", .type = {Base::Int, 3}},
                                               {.name = "f2", .type = {Base::Short, 1}, .count = 2, .array = true}}});
}

ExprPtr addressOf(ExprPtr place) {
  const Type type = place->type;
  return make({.kind = Expr::Kind::Address, .type = type, .args = {std::move(place)}, .pointer = true});
}

} // namespace

TEST_CASE("fields are where C places them", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const Type type = addPadded(kernel);
  CHECK(type.lanes == 6);
  const Footprint footprint = footprintOf(type, kernel.records);
  CHECK(footprint.size == 48);
  CHECK(footprint.align == 16);
  std::vector<unsigned> offsets;
  for (const CellPlace &cell : footprint.cells)
    offsets.push_back(cell.offset);
  CHECK(offsets == std::vector<unsigned>{0, 16, 20, 24, 32, 34});
  kernel.records[0].packed = true;
  CHECK(footprintOf(type, kernel.records).size == 21); // an int3 has 16 bytes
}

TEST_CASE("fields, pointers to them, and copies of records", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const Type type = addPadded(kernel), kShort{Base::Short, 1};
  std::vector<Variable> &variables = kernel.functions[0].variables;
  variables = {{.name = "a", .type = type, .count = 2, .array = true},
               {.name = "b", .type = type},
               {.name = "p", .type = kShort, .count = 2, .pointer = true}};
  const ExprPtr half = op(Op::And, kId, number(1));
  const auto second = [&](ExprPtr i) {
    return make({.kind = Expr::Kind::Element, .type = kShort, .args = {half, std::move(i)}, .path = {2}});
  };
  const ExprPtr whole = make({.kind = Expr::Kind::Element, .type = type, .args = {half}});
  const ExprPtr of_b =
      make({.kind = Expr::Kind::Element, .type = kShort, .args = {number(1)}, .variable = 1, .path = {2}});
  const ExprPtr behind = make({.kind = Expr::Kind::Element, .type = kShort, .args = {number(1)}, .variable = 2});
  kernel.functions[0].body = {
      {.kind = Stmt::Kind::Declare, .values = {make({.type = {Base::Char, 1}, .number = 9})}},
      {.kind = Stmt::Kind::Declare, .target = {.variable = 2}, .values = {addressOf(second(number(0)))}},
      {.kind = Stmt::Kind::Assign, .target = {.element = behind}, .values = {kId}},
      {.kind = Stmt::Kind::Declare, .target = {.variable = 1}, .values = {whole}},
      {.kind = Stmt::Kind::Assign, .target = {.element = behind}, .values = {number(-1)}},
      store(kOut, kId, of_b)};
  Unguarded unguarded;
  const Contents contents = run(kernel, unguarded);
  CHECK(unguarded.empty());
  CHECK(contents[kOut][6] == 6);
  CHECK(contents[kOut][15] == 15);
}

TEST_CASE("a pointer out of bounds of its object is rejected", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.functions[0].variables = {{.name = "a", .type = kInt, .count = 4, .array = true},
                                   {.name = "b", .type = kInt, .count = 4, .array = true}};
  const auto loadFrom = [&](int64_t start) {
    const ExprPtr place = make({.kind = Expr::Kind::Element, .type = kInt, .args = {number(start)}});
    const ExprPtr four = make(
        {.kind = Expr::Kind::VectorLoad, .type = {Base::Int, 4}, .args = {number(0), addressOf(place)}, .number = 1});
    kernel.functions[0].body = {
        {.kind = Stmt::Kind::Declare, .values = {number(5)}},
        {.kind = Stmt::Kind::Declare, .target = {.variable = 1}, .values = {number(6)}},
        store(kOut, kId, make({.kind = Expr::Kind::Component, .type = kInt, .args = {four}, .number = 0}))};
    return run(kernel)[kOut][0];
  };
  CHECK(loadFrom(0) == 5);
  CHECK_THROWS_AS(loadFrom(1), Rejected);
}

TEST_CASE("atomic functions of one kind may come in any order, others may not", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const auto atomic = [](AtomicOp op) {
    return Stmt{.kind = Stmt::Kind::Atomic, .values = {load(kLocal, number(3)), number(2)}, .atomic = op};
  };
  const Stmt barrier{.kind = Stmt::Kind::Barrier};
  kernel.functions[0].body = {store(kLocal, kId, kId),
                              barrier,
                              atomic(AtomicOp::Add),
                              atomic(AtomicOp::Sub),
                              atomic(AtomicOp::Add),
                              barrier,
                              store(kOut, kId, load(kLocal, number(3)))};
  CHECK(run(kernel)[kOut][0] == 3 + 16 * 2);
  Block &body = kernel.functions[0].body;
  body[3].atomic = AtomicOp::Max;
  CHECK_THROWS_AS(run(kernel), Rejected);
  body[3].atomic = AtomicOp::Inc;
  body.erase(body.begin() + 5);
  CHECK_THROWS_AS(run(kernel), Rejected); // one is read before all are done
}

TEST_CASE("texels outside an image", "[evaluation]") {
  Kernel kernel = emptyKernel();
  kernel.memories.push_back({.role = MemoryObject::Role::Image,
                             .name = "image",
                             .type = {Base::UInt, 4},
                             .count = 6,
                             .image = {.dims = 2, .width = 3, .height = 2, .channels = 1, .base = Base::UChar}});
  const auto read = [&](int64_t x, int64_t y, bool edge, unsigned channel) {
    const ExprPtr at = make({.kind = Expr::Kind::Construct, .type = {Base::Int, 2}, .args = {number(x), number(y)}});
    const ExprPtr texel =
        make({.kind = Expr::Kind::ReadImage, .type = {Base::UInt, 4}, .args = {at}, .number = edge, .memory = 2});
    kernel.functions[0].body = {store(
        kOut, kId, make({.kind = Expr::Kind::Component, .type = kInt, .args = {texel}, .number = int64_t(channel)}))};
    return run(kernel)[kOut][0];
  };
  const std::vector<uint64_t> texels = initialContents(kernel, kernel.launches[0])[2];
  CHECK(read(2, 1, false, 0) == texels[5]);
  CHECK(read(7, -4, true, 0) == texels[2]);
  CHECK(read(3, 0, false, 0) == 0);
  CHECK(read(0, 0, false, 3) == 1);
}

TEST_CASE("operations at the limits of their types", "[evaluation]") {
  const auto bits = [](Op op, Base base, uint64_t a, uint64_t b, uint64_t c = 0) {
    return operate(op, {base, 1}, truncated(base, a), truncated(base, b), truncated(base, c)).bits;
  };
  CHECK(bits(Op::MadSat, Base::Long, 0, uint64_t(-1), uint64_t(-1)) == uint64_t(-1));
  CHECK(bits(Op::MadSat, Base::Long, 221, 1, INT64_MAX) == INT64_MAX);
  CHECK(bits(Op::MadSat, Base::ULong, UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
  CHECK(bits(Op::MulHi, Base::ULong, UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
  CHECK(bits(Op::Hadd, Base::Char, uint64_t(-128), uint64_t(-127)) == truncated(Base::Char, uint64_t(-128)));
  CHECK(bits(Op::Rhadd, Base::ULong, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
  CHECK(bits(Op::Div, Base::Char, uint64_t(-128), uint64_t(-1)) == 0x80); // an int division, converted back
  CHECK(bits(Op::Shl, Base::Char, 1, 8) == 0);                            // an int shift, too
  CHECK(bits(Op::Ctz, Base::Short, 0, 0) == 16);
  CHECK(operate(Op::Mul, {Base::UShort, 1}, 0xffff, 0xffff, 0).undefined);
  CHECK_FALSE(operate(Op::Mul, {Base::UShort, 2}, 0xffff, 0xffff, 0).undefined);
  CHECK(operate(Op::Div, {Base::Char, 2}, 0x80, 0xff, 0).undefined);
  CHECK(convert(Base::UChar, Base::Short, truncated(Base::Short, uint64_t(-5)), true) == 0);
  CHECK(convert(Base::Char, Base::ULong, UINT64_MAX, true) == 127);
}

TEST_CASE("a function that ends without a value is refused", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const Stmt v = declare(kernel, number(0));
  Function helper{.name = "helper"};
  helper.body = {{.kind = Stmt::Kind::Return, .values = {number(5)}}};
  kernel.functions.insert(kernel.functions.begin(), helper);
  kernel.functions[1].body = {v, {.kind = Stmt::Kind::Call}, store(kOut, kId, variable(0))};
  CHECK(run(kernel)[kOut][7] == 5);
  kernel.functions[0].body = {};
  CHECK_THROWS_AS(run(kernel), Rejected);
}
