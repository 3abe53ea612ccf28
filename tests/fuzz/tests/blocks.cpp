// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the elements of two-dimensional blocks are read and written.
#include "tests/kernels.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

constexpr unsigned kSurface = 2;

// Operands for x, y, width, height and pitch.
std::vector<ExprPtr> at(int64_t x, int64_t y, int64_t width = 64, int64_t height = 32, int64_t pitch = 64) {
  return {number(x), number(y), number(width), number(height), number(pitch)};
}

// Reads from 32 rows of 16 numbers. operator() returns a component of the result.
struct Read {
  Kernel kernel;
  std::vector<uint64_t> numbers;

  Read(SubGroupFunction function, Type type, const std::vector<ExprPtr> &place) : kernel(kernelOf(type)) {
    kernel.memories.push_back({.role = MemoryObject::Role::Input, .name = "in", .type = kUInt, .count = 512});
    Stmt s = call(function, place, type);
    s.memory = kSurface;
    kernel.functions[0].body = {s};
    numbers = initialContents(kernel, kernel.launches[0])[kSurface];
  }
  uint64_t operator()(size_t lane, unsigned component = 0, unsigned width = 16) {
    Kernel copy = kernel;
    const bool scalar = copy.functions[0].variables[0].type.lanes == 1;
    copy.functions[0].body.push_back(scalar ? storeVariable() : storeComponent(copy, component));
    Unguarded unguarded;
    return run(copy, unguarded, width)[kOut][lane];
  }
  uint64_t element(size_t row, size_t column) const { return numbers[row * 16 + column]; }
  uint64_t shortAt(size_t row, size_t column) const { return element(row, column / 2) >> column % 2 * 16 & 0xffff; }
  uint64_t byteAt(size_t row, size_t column) const { return element(row, column / 4) >> column % 4 * 8 & 0xff; }
};

} // namespace

TEST_CASE("rows as wide as the sub-group, and reads beyond the edges", "[sub-groups]") {
  Read inside(SubGroupFunction::Read32b2r16x1c, {Base::UInt, 2}, at(0, 5));
  CHECK(inside(3, 0) == inside.element(5, 3));
  CHECK(inside(3, 1) == inside.element(6, 3));
  Read left(SubGroupFunction::Read32b2r16x1c, {Base::UInt, 2}, at(-2, -1));
  CHECK(left(3, 0) == 0);
  CHECK(left(1, 1) == 0);
  CHECK(left(2, 1) == left.element(0, 0));
  Read right(SubGroupFunction::Read32b2r16x1c, {Base::UInt, 2}, at(4, 31));
  CHECK(right(11, 0) == right.element(31, 15));
  CHECK(right(12, 0) == 0);
  CHECK(right(0, 1) == 0);
}

TEST_CASE("rows of eight fill the lanes two at a time", "[sub-groups]") {
  Read two(SubGroupFunction::Read32b4r8x1c, {Base::UInt, 2}, at(1, 0));
  CHECK(two(2, 0) == two.element(0, 3));
  CHECK(two(10, 0) == two.element(1, 3));
  CHECK(two(10, 1) == two.element(3, 3));
  Read one(SubGroupFunction::Read32b1r8x1c, kUInt, at(1, 0));
  CHECK(one(7) == one.element(0, 8));
  CHECK(one(8) == 0); // undefined; the evaluation gives zero
}

TEST_CASE("in rows of 32 bytes each lane has two values, and those of the next block come last", "[sub-groups]") {
  Read read(SubGroupFunction::Read8b2r32x2c, {Base::UShort, 4}, at(0, 0));
  CHECK(read(5, 1) == (read.byteAt(1, 10) | read.byteAt(1, 11) << 8));
  CHECK(read(5, 2) == (read.byteAt(0, 42) | read.byteAt(0, 43) << 8));
}

TEST_CASE("transformed blocks hold columns, transposed ones rows", "[sub-groups]") {
  Read pairs(SubGroupFunction::Transform16b16r16x1c, {Base::UInt, 8}, at(2, 3));
  CHECK(pairs(5, 1) == (pairs.shortAt(5, 7) | pairs.shortAt(6, 7) << 16));
  Read rows(SubGroupFunction::Transpose32b16r8x1c, {Base::UInt, 8}, at(4, 1));
  CHECK(rows(9, 2) == rows.element(10, 6));
  Read twice(SubGroupFunction::Transpose32b32r8x1c, {Base::UInt, 16}, at(0, 0));
  CHECK(twice(3, 5) == twice.element(7, 2));
}

TEST_CASE("more than sixteen values are combined in the components", "[sub-groups]") {
  Read read(SubGroupFunction::Read16b32r16x1c, {Base::UShort, 16}, at(0, 0));
  CHECK(read(6, 1) == ((read.shortAt(1, 6) * 3 + read.shortAt(17, 6)) & 0xffff));
}

TEST_CASE("2-D blocks are refused if they would be undefined", "[sub-groups]") {
  const auto of = [](const std::vector<ExprPtr> &place, unsigned width = 16) {
    return Read(SubGroupFunction::Read16b1r16x1c, {Base::UShort, 1}, place)(0, 0, width);
  };
  CHECK_NOTHROW(of(at(2, 0)));
  CHECK_THROWS_AS(of(at(2, 0), 8), Rejected);
  CHECK_THROWS_AS(of(at(1, 0)), Rejected);             // x is odd
  CHECK_THROWS_AS(of(at(0, 0, 60)), Rejected);         // too narrow
  CHECK_THROWS_AS(of(at(0, 0, 66, 16, 80)), Rejected); // a width that is not a multiple of four
  CHECK_THROWS_AS(of(at(0, 0, 64, 16, 72)), Rejected); // a pitch that is not a multiple of 16
  CHECK_THROWS_AS(of(at(0, 0, 64, 33)), Rejected);     // more rows than there are
  CHECK_THROWS_AS(of({ask(Query::LaneId), number(0), number(64), number(8), number(64)}), Rejected);
}

TEST_CASE("writes outside the region have no effect", "[sub-groups]") {
  Kernel kernel = kernelOf(kUInt);
  kernel.memories.push_back({.role = MemoryObject::Role::Scratch, .name = "through", .type = kUInt, .count = 4});
  const Type bytes{Base::UChar, 1};
  const ExprPtr lane =
      make({.kind = Expr::Kind::Convert, .type = bytes, .args = {op(Op::Add, ask(Query::LaneId), number(1))}});
  std::vector<ExprPtr> values = at(60, 1, 64, 2);
  values.insert(values.begin(), lane);
  values.push_back(constant(kUInt, 31));
  Stmt s = call(SubGroupFunction::Write8b2r16x1c, values, {Base::UChar, 2});
  s.values[0] = vectorOf(Base::UChar, {lane, lane});
  s.memory = kSurface;
  kernel.functions[0].body = {s, storeVariable()};
  Unguarded unguarded;
  const Contents contents = run(kernel, unguarded);
  CHECK(contents[kSurface][31] == 0x04030201); // the last uint of row 1
  CHECK(contents[kSurface][30] == 0x5a5a5a5a);
  CHECK(contents[kSurface][32] == 0x5a5a5a5a); // there is no row 2
  CHECK(contents[kOut][7] == 0x04030201);
}
