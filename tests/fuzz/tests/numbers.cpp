// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers are rounded once, in the direction that is asked for. Denormals and the signs of zeros are included.
#include "tests/kernels.h"

#include "evaluate/numbers.h"
#include "generate/guards.h"
#include "print/print.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cfloat>
#include <cmath>

using namespace lanecl::fuzz;

namespace {

uint64_t half(double number) {
  return fromNumber(Base::Half, number);
}
uint64_t bits(Op op, double a, double b = 0, double c = 0) {
  return operate(op, {Base::Half, 1}, half(a), half(b), half(c)).bits;
}
uint64_t fromFloat(float value, Rounding rounding) {
  return convert(Base::Half, Base::Float, std::bit_cast<uint32_t>(value), false, rounding);
}

constexpr uint64_t kOne = 0x3c00, kInfinity = 0x7c00, kLargest = 0x7bff, kMinusZero = 0x8000;

} // namespace

TEST_CASE("halves are converted as the compiler converts them", "[evaluation]") {
  for (unsigned i = 0; i < 0x10000; ++i) {
    const float value = float(std::bit_cast<_Float16>(uint16_t(i)));
    if (isNan(Base::Half, i))
      continue;
    INFO(i);
    REQUIRE(fromFloat(value, Rounding::ToEven) == i);
    REQUIRE(fromFloat(value, Rounding::Up) == i);
    const float beside = std::bit_cast<float>(std::bit_cast<uint32_t>(value) + 0x1001);
    if (!std::isnan(beside))
      REQUIRE(fromFloat(beside, Rounding::ToEven) == std::bit_cast<uint16_t>(_Float16(beside)));
  }
}

TEST_CASE("conversions to halves round in the given direction", "[evaluation]") {
  const float middle = 1 + 0x1p-11f; // midway between 1 and its successor
  CHECK(fromFloat(middle, Rounding::Cast) == kOne);
  CHECK(fromFloat(middle, Rounding::ToEven) == kOne);
  CHECK(fromFloat(middle + 0x1p-10f, Rounding::ToEven) == kOne + 2);
  CHECK(fromFloat(middle, Rounding::ToZero) == kOne);
  CHECK(fromFloat(middle, Rounding::Up) == kOne + 1);
  CHECK(fromFloat(-middle, Rounding::Up) == (kMinusZero | kOne));
  CHECK(fromFloat(-middle, Rounding::Down) == (kMinusZero | (kOne + 1)));
  CHECK(fromFloat(0x1p-140f, Rounding::Up) == 1);
  CHECK(fromFloat(-0x1p-140f, Rounding::Up) == kMinusZero);
  CHECK(fromFloat(0x1p-25f, Rounding::ToEven) == 0);
  CHECK(fromFloat(0x1.8p-25f, Rounding::ToEven) == 1);
  CHECK(fromFloat(65519, Rounding::ToEven) == kLargest);
  CHECK(fromFloat(65520, Rounding::ToEven) == kInfinity);
  CHECK(fromFloat(1e30f, Rounding::ToZero) == kLargest);
  CHECK(fromFloat(1e30f, Rounding::Down) == kLargest);
  CHECK(fromFloat(-1e30f, Rounding::Down) == (kMinusZero | kInfinity));
  CHECK(convert(Base::Half, Base::ULong, UINT64_MAX, false, Rounding::ToZero) == kLargest);
  CHECK(convert(Base::Half, Base::Short, truncated(Base::Short, uint64_t(-2049)), false, Rounding::Up) == half(-2048));
}

TEST_CASE("halves are converted to integers", "[evaluation]") {
  const auto to = [](double value, Rounding rounding) {
    return int64_t(convertToInteger(Base::Half, half(value), rounding));
  };
  CHECK(to(-2.5, Rounding::Cast) == -2);
  CHECK(to(-2.5, Rounding::ToEven) == -2);
  CHECK(to(3.5, Rounding::ToEven) == 4);
  CHECK(to(-2.5, Rounding::Down) == -3);
  CHECK(to(0.25, Rounding::Up) == 1);
  CHECK(convert(Base::UChar, Base::Half, half(-7), true) == 0);
  CHECK(convert(Base::Long, Base::Half, kInfinity, true) == uint64_t(INT64_MAX));
}

TEST_CASE("operations on halves", "[evaluation]") {
  CHECK(bits(Op::Add, 2048, 1) == half(2048));
  CHECK(bits(Op::Add, 2050, 1) == half(2052));
  CHECK(bits(Op::Sub, 1, 1) == 0);
  CHECK(bits(Op::Mul, -0.0, 3) == kMinusZero);
  CHECK(bits(Op::Mul, 0x1p-14, 0x1p-11) == 0);
  CHECK(bits(Op::Mul, 0x1.8p-14, 0x1p-11) == 1);
  CHECK(bits(Op::Div, 1, 3) == 0x3555);
  CHECK(bits(Op::Sqrt, 2) == 0x3da8);
  CHECK(bits(Op::Min, -0.0, 0.0) == kMinusZero);
  CHECK(bits(Op::Fmin, -0.0, 0.0) == 0);
  CHECK(bits(Op::Round, -2.5) == half(-3));
  CHECK(operate(Op::Sub, {Base::Half, 1}, kInfinity, kInfinity, 0).undefined);
  CHECK(operate(Op::Less, {Base::Half, 4}, half(1), half(2), 0).bits == 0xffff);
}

TEST_CASE("a fused product and sum is rounded once", "[evaluation]") {
  const double next = 1 + 0x1p-10;
  CHECK(bits(Op::Fma, next, next, -1 - 0x1p-9) == half(0x1p-20)); // the rounded product alone would lose that
  CHECK(bits(Op::Fma, 16 + 0x1p-6, 1 + 0x1p-10, 32768) == half(32800));
  CHECK(bits(Op::Fma, 16, 1, 32768) == half(32768));
  CHECK(bits(Op::Fma, 0x1p-24, 0x1p-24, 1) == kOne);
  CHECK(bits(Op::Fma, 1, 1, -1) == 0);
  CHECK(bits(Op::Fma, -0.0, 1, -0.0) == kMinusZero);
  CHECK(bits(Op::Fma, 65504, 2, -65504) == kLargest);
}

TEST_CASE("floats and doubles", "[evaluation]") {
  const auto single = [](Op op, float a, float b, float c = 0) {
    return toFloat(operate(op, {Base::Float, 1}, fromFloat(a), fromFloat(b), fromFloat(c)).bits);
  };
  const auto twice = [](Op op, double a, double b, double c = 0) {
    const auto bits = [](double number) { return fromNumber(Base::Double, number); };
    return toNumber(Base::Double, operate(op, {Base::Double, 1}, bits(a), bits(b), bits(c)).bits);
  };
  CHECK(single(Op::Add, 0x1p24f, 1) == 0x1p24f);
  CHECK(single(Op::Add, 0x1p24f, 3) == 0x1p24f + 4);
  CHECK(single(Op::Div, 1, 3) == 1.0f / 3.0f);
  CHECK(single(Op::Mul, 0x1p-100f, 0x1.8p-49f) == 0x1p-148f); // a denormal; the tie goes to the even neighbor
  CHECK(std::isinf(single(Op::Mul, 0x1p100f, 0x1p28f)));
  const float next = 1 + 0x1p-23f;
  CHECK(single(Op::Fma, next, next, -1 - 0x1p-22f) == 0x1p-46f);
  CHECK(twice(Op::Add, 0x1p53, 1) == 0x1p53);
  CHECK(twice(Op::Mul, 0x1p-1000, 0x1p-74) == 0x1p-1074);
  const double after = 1 + 0x1p-52;
  CHECK(twice(Op::Fma, after, after, -1 - 0x1p-51) == 0x1p-104);
  CHECK(operate(Op::Sqrt, {Base::Double, 1}, fromNumber(Base::Double, -1), 0, 0).undefined);
  CHECK(operate(Op::Less, {Base::Double, 2}, fromNumber(Base::Double, 1), fromNumber(Base::Double, 2), 0).bits ==
        UINT64_MAX);
}

TEST_CASE("conversions to floats and doubles round in the given direction", "[evaluation]") {
  const auto single = [](Base from, uint64_t bits, Rounding rounding) {
    return toFloat(convert(Base::Float, from, bits, false, rounding));
  };
  const uint64_t tenth = fromNumber(Base::Double, 0.1), huge = fromNumber(Base::Double, -1e300);
  CHECK(single(Base::Double, tenth, Rounding::Function) == 0.1f);
  CHECK(single(Base::Double, tenth, Rounding::Down) < 0.1);
  CHECK(single(Base::Double, tenth, Rounding::Up) == std::nextafter(single(Base::Double, tenth, Rounding::Down), 1.0f));
  CHECK(single(Base::Double, huge, Rounding::Up) == -FLT_MAX);
  CHECK(single(Base::Double, huge, Rounding::Down) == -INFINITY);
  CHECK(single(Base::Int, 0x1000001, Rounding::ToEven) == 0x1p24f);
  CHECK(single(Base::Int, 0x1000001, Rounding::Up) == 0x1p24f + 2);
  CHECK(single(Base::ULong, UINT64_MAX, Rounding::ToZero) == 0x1.fffffep63f);
  CHECK(single(Base::Half, 1, Rounding::Cast) == 0x1p-24f);
  CHECK(toNumber(Base::Double, convert(Base::Double, Base::Long, INT64_MAX, false, Rounding::Down)) == 0x1p63 - 1024);
  CHECK(toNumber(Base::Double, convert(Base::Double, Base::Long, INT64_MAX, false, Rounding::Up)) == 0x1p63);
}

// The work-items have the values 0, 1500000000, 3000000000, 4500000000 and so on. The third one does not fit into an
// int, and the fourth one does not fit into an unsigned int either.
TEST_CASE("the guard of a conversion changes only values that do not fit", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const Type type{Base::Double, 1};
  const ExprPtr id = ask(Query::GlobalId);
  const ExprPtr real = make({.kind = Expr::Kind::Convert, .type = type, .args = {id}});
  const ExprPtr factor = make({.kind = Expr::Kind::Convert, .type = type, .args = {number(1500000000)}});
  const ExprPtr large = make({.kind = Expr::Kind::Operation, .type = type, .args = {real, factor}, .op = Op::Mul});
  const ExprPtr whole = make({.kind = Expr::Kind::Convert, .type = {Base::UInt, 1}, .args = {large}});
  kernel.functions[0].body = {store(kOut, id, make({.kind = Expr::Kind::Convert, .type = kInt, .args = {whole}}))};
  Unguarded unguarded;
  const Contents contents = run(kernel, unguarded);
  CHECK(contents[kOut][1] == 1500000000);
  CHECK(contents[kOut][2] == 3000000000);
  CHECK(contents[kOut][3] == 0xffffffff);
  CHECK(unguarded.expressions == std::set<const Expr *>{whole.get()});
  addGuards(kernel, unguarded);
  CHECK_THAT(print({&kernel}, false).source, Catch::Contains("convert_uint_sat("));
}

TEST_CASE("a half that would be a NaN gets a guard", "[evaluation]") {
  Kernel kernel = emptyKernel();
  const Type type{Base::Half, 1};
  const ExprPtr any =
      make({.kind = Expr::Kind::Reinterpret,
            .type = type,
            .args = {make({.kind = Expr::Kind::Convert, .type = {Base::Short, 1}, .args = {number(0x7c01)}})},
            .number = 1});
  kernel.functions[0].body = {
      store(kOut, ask(Query::GlobalId), make({.kind = Expr::Kind::Convert, .type = kInt, .args = {any}}))};
  Unguarded unguarded;
  CHECK(run(kernel, unguarded)[kOut][0] == 0);
  CHECK(unguarded.expressions == std::set<const Expr *>{any.get()});
}
