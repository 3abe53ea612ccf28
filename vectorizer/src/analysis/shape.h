// How a value varies over the lanes of a sub-group: a small value type, testable without a kernel.
#pragma once

#include <cstdint>
#include <string>

namespace lanecl::vectorizer {

// What holds for the numbers of a strided value beside their distance, so that an extension of them is strided, too.
struct NoWrap {
  // Read as signed numbers, the active lanes are an arithmetic progression without wrap-around.
  bool is_signed = false;
  // Read as unsigned numbers, the active lanes and lane 0 are a rising progression without wrap-around.
  bool is_unsigned = false;

  NoWrap operator&(const NoWrap &other) const {
    return {is_signed && other.is_signed, is_unsigned && other.is_unsigned};
  }
  bool operator==(const NoWrap &) const = default;
};

// The lattice: Undefined < Uniform, Strided < Varying.
//   Uniform   every active lane has the same value
//   Strided   lane l has base + l * stride, modulo the type's width; integers in units of one, pointers in bytes
//   Varying   nothing is known
class Shape {
public:
  enum class Kind : uint8_t { Undefined, Uniform, Strided, Varying };

  static Shape undefined() { return {Kind::Undefined, 0, {true, true}}; }
  static Shape uniform() { return {Kind::Uniform, 0, {true, true}}; }
  static Shape varying() { return {Kind::Varying, 0, {}}; }
  static Shape strided(int64_t stride, NoWrap no_wrap = {}) {
    return stride == 0 ? uniform() : Shape{Kind::Strided, stride, no_wrap};
  }

  Kind kind() const { return shape_kind; }
  bool isUndefined() const { return shape_kind == Kind::Undefined; }
  bool isUniform() const { return shape_kind == Kind::Uniform; }
  bool isStrided() const { return shape_kind == Kind::Strided; }
  bool isVarying() const { return shape_kind == Kind::Varying; }
  // Uniform or strided: lane 0 and the stride say everything.
  bool isLinear() const { return isUniform() || isStrided(); }
  int64_t stride() const { return lane_stride; }
  NoWrap noWrap() const { return no_wrap; }

  // The least shape that holds for both.
  static Shape join(const Shape &a, const Shape &b);

  bool operator==(const Shape &) const = default;
  std::string str() const; // "uniform", "strided(4)", "strided(1, nuw, nsw)", "varying"

private:
  Shape(Kind kind, int64_t stride, NoWrap no_wrap) : shape_kind(kind), no_wrap(no_wrap), lane_stride(stride) {}

  Kind shape_kind;
  NoWrap no_wrap;
  int64_t lane_stride;
};

} // namespace lanecl::vectorizer
