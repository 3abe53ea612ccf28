// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shape of a value: how it varies over the lanes of a sub-group. Shape is a small value type that is testable
// without a kernel.
//
// The rule of active lanes. A kernel's IR states facts about values: flags (nsw, nuw, exact, disjoint, nneg, samesign,
// inbounds, nusw), metadata and attributes (range, nonnull, align, noundef, noalias, dereferenceable, invariant.load),
// assumptions, and the conditions of dominating branches. Each fact holds for a work-item that computes the value. It
// does not hold in a lane that is inactive there: that lane's value is any number, or poison. So a fact may be used
//
//   for a uniform value    always. Its one scalar is what the active lanes have, and a block whose values are used runs
//                          for at least one active lane.
//   for a varying value    for active lanes only. A flag of a vector instruction makes poison of a lane by that lane's
//                          operands alone. A value that must not be poison in any lane is selected by the mask.
//   for a strided value    for active lanes only. Its one scalar is lane 0's, which may be inactive. So the scalar is
//                          computed without any of these facts, modulo the type's width: sums, differences, products by
//                          a constant and truncations are then exact in every lane. An extension is not exact modulo
//                          the width: it needs to know where lane 0 lies (`Progression` below), or starts from a lane
//                          that is active (Widener::extendedLaneZero).
#pragma once

#include <cassert>
#include <cstdint>
#include <string>

namespace lanecl::vectorizer {

// Further facts about the numbers of a strided value, by which an extension of the value is strided, too.
struct Progression {
  // Read as signed numbers, the active lanes are an arithmetic progression without wrap-around.
  bool is_signed = false;
  // Read as signed numbers, lane 0 belongs to that progression, active or not.
  bool signed_from_lane_0 = false;
  // Read as signed numbers, neither lane 0 nor an active lane is negative.
  bool non_negative = false;
  // Read as unsigned numbers, the active lanes and lane 0 are a rising progression without wrap-around.
  bool is_unsigned = false;

  static constexpr Progression everything() { return {true, true, true, true}; }

  Progression operator&(const Progression &other) const {
    return {is_signed && other.is_signed, signed_from_lane_0 && other.signed_from_lane_0,
            non_negative && other.non_negative, is_unsigned && other.is_unsigned};
  }
  bool operator==(const Progression &) const = default;
};

// The lattice: Undefined < Uniform, Strided < Varying.
//   Uniform   every active lane has the same value
//   Strided   lane l has base + l * stride, modulo the type's width; integers in units of one, pointers in bytes
//   Varying   nothing is known
class Shape {
public:
  enum class Kind : uint8_t { Undefined, Uniform, Strided, Varying };

  static Shape undefined() { return {Kind::Undefined, 0, Progression::everything()}; }
  static Shape uniform() { return {Kind::Uniform, 0, Progression::everything()}; }
  static Shape varying() { return {Kind::Varying, 0, {}}; }
  static Shape strided(int64_t stride, Progression numbers = {}) {
    assert((numbers.is_signed || !numbers.signed_from_lane_0) &&
           (numbers.signed_from_lane_0 || !numbers.non_negative) && "what is said of lane 0 includes the active lanes");
    return stride == 0 ? uniform() : Shape{Kind::Strided, stride, numbers};
  }

  Kind kind() const { return shape_kind; }
  bool isUndefined() const { return shape_kind == Kind::Undefined; }
  bool isUniform() const { return shape_kind == Kind::Uniform; }
  bool isStrided() const { return shape_kind == Kind::Strided; }
  bool isVarying() const { return shape_kind == Kind::Varying; }
  // Uniform or strided: lane 0 and the stride determine all lanes.
  bool isLinear() const { return isUniform() || isStrided(); }
  int64_t stride() const {
    assert(isLinear() && "other shapes have no stride");
    return lane_stride;
  }
  const Progression &progression() const { return numbers; }

  // Returns the least shape that holds for both.
  static Shape join(const Shape &a, const Shape &b);

  bool operator==(const Shape &) const = default;
  // Returns "uniform", "strided(4)", "strided(1, nuw, nsw, nneg)", "varying" and the like.
  std::string str() const;

private:
  Shape(Kind kind, int64_t stride, Progression numbers) : shape_kind(kind), numbers(numbers), lane_stride(stride) {}

  Kind shape_kind;
  Progression numbers;
  int64_t lane_stride;
};

} // namespace lanecl::vectorizer
