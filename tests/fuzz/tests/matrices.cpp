// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which elements of matrices are multiplied, and what is refused. Only one element of the left matrix and one or two of
// the right one are not zero, so that each result is one product added to the sum.
#include "tests/kernels.h"

#include "evaluate/operations.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

// Returns eight components, one of which is not zero.
ExprPtr eight(Base base, unsigned place, int64_t value) {
  std::vector<ExprPtr> components(8, constant({base, 1}, 0));
  components[place] = constant({base, 1}, value);
  return vectorOf(base, components);
}

ExprPtr floatOf(uint32_t bits) {
  return make({.kind = Expr::Kind::Reinterpret, .type = {Base::Float, 1}, .args = {constant(kUInt, bits)}});
}

// Returns one row of the result that the work-item `item` gets.
uint64_t result(SubGroupFunction function, Type sum, std::vector<ExprPtr> values, unsigned width, unsigned row,
                size_t item, NDRange range = {.global = {16}, .local = {16}}) {
  const Base kept = isInteger(sum.base) ? sum.base : bitsOf(sum.base) == 16 ? Base::UShort : Base::UInt;
  Kernel kernel = kernelOf({kept, sum.lanes});
  kernel.launches = {std::move(range)};
  Stmt s = call(function, std::move(values), sum);
  s.number = -1;
  kernel.functions[0].body = {s, sum.lanes == 1 ? storeVariable() : storeComponent(kernel, row)};
  Unguarded unguarded;
  return run(kernel, unguarded, width)[kOut][item];
}

constexpr Type kInt2{Base::Int, 2};

} // namespace

TEST_CASE("the bytes of a sub-group of 8 are in the 32 bits of each lane", "[sub-groups]") {
  // Row 0: byte 1 of lane 1 is element 5; row 1: byte 3 of lane 7 is element 31.
  const ExprPtr left =
      vectorOf(Base::Int, {atLane(1, number(0x300), number(0)), atLane(7, number(0xff000000), number(0))});
  const ExprPtr sum = vectorOf(Base::Int, {number(10), number(20)});
  const auto right = [](Base base) {
    std::vector<ExprPtr> components(8, constant({base, 1}, 0));
    components[1] = constant({base, 1}, 0xfe00);
    components[7] = constant({base, 1}, 0x05000000);
    return vectorOf(base, components);
  };
  const auto signedRow = [&](unsigned row) {
    return int32_t(result(SubGroupFunction::MatrixI8I8, kInt2, {sum, left, right(Base::Int)}, 8, row, 3));
  };
  CHECK(signedRow(0) == 10 + 3 * -2);
  CHECK(signedRow(1) == 20 + -1 * 5);
  CHECK(result(SubGroupFunction::MatrixI8U8, kInt2, {sum, left, right(Base::UInt)}, 8, 0, 3) == 10 + 3 * 254);
}

TEST_CASE("the bytes of a sub-group of 16 are in 16 bits, and nibbles count from the lowest", "[sub-groups]") {
  const Type type{Base::Short, 1};
  // Byte 1 of lane 2 is element 5 again.
  const ExprPtr left = atLane(2, constant(type, 0x300), constant(type, 0));
  CHECK(result(SubGroupFunction::MatrixI8I8, kInt, {number(1), left, eight(Base::Int, 1, 0x700)}, 16, 0, 15) == 22);
  CHECK(result(SubGroupFunction::MatrixI8I8, kInt, {number(1), left, eight(Base::Int, 2, 0x700)}, 16, 0, 15) == 1);
  // Nibble 3 of lane 1 is element 7: -1 when signed, 15 when not.
  const ExprPtr nibbles = atLane(1, constant(type, 0xf000), constant(type, 0));
  const ExprPtr right = eight(Base::Int, 0, 0x20000000);
  CHECK(int32_t(result(SubGroupFunction::MatrixI4I4, kInt, {number(0), nibbles, right}, 16, 0, 0)) == -2);
  const ExprPtr unsigned_nibbles =
      make({.kind = Expr::Kind::Reinterpret, .type = {Base::UShort, 1}, .args = {nibbles}});
  CHECK(result(SubGroupFunction::MatrixU4I4, kInt, {number(0), unsigned_nibbles, right}, 16, 0, 0) == 30);
}

TEST_CASE("bfloat16 is the upper half of a float", "[sub-groups]") {
  const Type type{Base::Short, 1};
  const ExprPtr left = atLane(3, constant(type, 0x4040), constant(type, 0)); // 3.0 is element 3
  const ExprPtr right = eight(Base::Int, 1, 0xc0000000);                     // -2.0 is element 3, too
  const auto of = [&](SubGroupFunction function, Type sum, ExprPtr value) {
    return result(function, sum, {std::move(value), left, right}, 16, 0, 5);
  };
  CHECK(of(SubGroupFunction::MatrixBf16, {Base::Float, 1}, constant({Base::Float, 1}, 4)) == fromFloat(-5));
  CHECK(of(SubGroupFunction::MatrixToBf16, type, constant(type, 0x4100)) == 0x4000); // 8 - 6
}

TEST_CASE("halves add up to halves if nothing is rounded", "[sub-groups]") {
  const Type type{Base::Short, 1}, sum{Base::Half, 1};
  const ExprPtr left = atLane(3, constant(type, 0x3c00), constant(type, 0)), right = eight(Base::Int, 1, 0x3c000000);
  const auto of = [&](int64_t quarters) {
    return result(SubGroupFunction::MatrixToF16, sum, {constant(sum, quarters), left, right}, 16, 0, 5);
  };
  CHECK(of(4 * 2) == 0x4200);              // 2 + 1
  CHECK_THROWS_AS(of(4 * 2048), Rejected); // 2049 has twelve bits
}

TEST_CASE("with tf32 the upper lanes have the odd rows, and thirteen bits do not count", "[sub-groups]") {
  const Type sum{Base::Float, 2};
  const ExprPtr left = atLane(11, floatOf(0x40001fff), floatOf(0)); // element 3 of row 1
  std::vector<ExprPtr> right(8, floatOf(0));
  right[3] = floatOf(0x40400000);
  const ExprPtr one = constant({Base::Float, 1}, 4);
  const auto row = [&](unsigned number) {
    return result(SubGroupFunction::MatrixTf32, sum,
                  {vectorOf(Base::Float, {one, one}), left, vectorOf(Base::Float, right)}, 16, number, 2);
  };
  CHECK(row(0) == fromFloat(1));
  CHECK(row(1) == fromFloat(7));
}

TEST_CASE("the second of two sub-groups has the lower rows", "[sub-groups]") {
  const ExprPtr second = op(Op::And, ask(Query::SubGroupId), number(1));
  const ExprPtr value = make({.kind = Expr::Kind::Select, .type = kInt, .args = {second, number(2), number(1)}});
  const ExprPtr left = atLane(0, value, number(0)), sum = vectorOf(Base::Int, {number(0), number(100)});
  const std::vector<ExprPtr> values{sum, left, eight(Base::Int, 0, 7)};
  for (size_t item : {1, 14}) {
    CHECK(result(SubGroupFunction::SplitI8I8, kInt2, values, 8, 0, item) == 7);
    CHECK(result(SubGroupFunction::SplitI8I8, kInt2, values, 8, 1, item) == 114);
  }
  CHECK_THROWS_AS(result(SubGroupFunction::SplitI8I8, kInt2, values, 8, 0, 0, {.global = {24}, .local = {24}}),
                  Rejected);
}

TEST_CASE("matrices are for whole sub-groups of their size", "[sub-groups]") {
  const std::vector<ExprPtr> values{number(0), number(1), eight(Base::Int, 0, 1)};
  const auto of = [&](unsigned width, NDRange range) {
    return result(SubGroupFunction::MatrixI8I8, kInt, values, width, 0, 0, std::move(range));
  };
  CHECK(of(8, {.global = {16}, .local = {16}}) == 1);
  CHECK_THROWS_AS(of(32, {.global = {32}, .local = {32}}), Rejected);
  CHECK_THROWS_AS(of(8, {.global = {12}, .local = {12}}), Rejected);
}
