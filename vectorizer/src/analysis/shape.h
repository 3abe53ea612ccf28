// How a value varies over the lanes of a sub-group: a small value type, testable without a kernel.
#pragma once

#include <cstdint>
#include <string>

namespace lanecl::vectorizer {

// The lattice: Undefined < Uniform, Strided < Varying.
//   Uniform   every active lane has the same value
//   Strided   lane l has base + l * stride, modulo the type's width; integers in units of one, pointers in bytes
//   Varying   nothing is known
class Shape {
public:
  enum class Kind : uint8_t { Undefined, Uniform, Strided, Varying };

  static Shape undefined() { return {Kind::Undefined, 0, true}; }
  static Shape uniform() { return {Kind::Uniform, 0, true}; }
  static Shape varying() { return {Kind::Varying, 0, false}; }
  // `no_signed_wrap`: read as signed numbers, the active lanes are an arithmetic progression without wrap-around,
  // so that a sign extension is strided too.
  static Shape strided(int64_t stride, bool no_signed_wrap) {
    return stride == 0 ? uniform() : Shape{Kind::Strided, stride, no_signed_wrap};
  }

  Kind kind() const { return shape_kind; }
  bool isUndefined() const { return shape_kind == Kind::Undefined; }
  bool isUniform() const { return shape_kind == Kind::Uniform; }
  bool isStrided() const { return shape_kind == Kind::Strided; }
  bool isVarying() const { return shape_kind == Kind::Varying; }
  // Uniform or strided: lane 0 and the stride say everything.
  bool isLinear() const { return isUniform() || isStrided(); }
  int64_t stride() const { return lane_stride; }
  bool noSignedWrap() const { return no_wrap; }

  // The least shape that holds for both.
  static Shape join(const Shape &a, const Shape &b);

  bool operator==(const Shape &) const = default;
  std::string str() const; // "uniform", "strided(4)", "strided(1, nsw)", "varying"

private:
  Shape(Kind kind, int64_t stride, bool no_signed_wrap)
      : shape_kind(kind), no_wrap(no_signed_wrap), lane_stride(stride) {}

  Kind shape_kind;
  bool no_wrap;
  int64_t lane_stride;
};

} // namespace lanecl::vectorizer
