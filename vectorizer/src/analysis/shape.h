// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How a value varies over the lanes of a sub-group: a small value type, testable without a kernel.
//
// The rule of active lanes. A kernel's IR states facts about values: flags (nsw, nuw, exact, disjoint, nneg, samesign,
// inbounds, nusw), metadata and attributes (range, nonnull, align, noundef, noalias, dereferenceable, invariant.load),
// assumptions, and the conditions of the branches above. Each holds for a work-item that computes the value. In a lane
// that is inactive there it does not hold: the lane's value is any number, or poison. So such a fact may be used
//
//   of a uniform value     always: its one scalar is what the active lanes have, and a block whose values are used
//                          runs for at least one active lane;
//   of a varying value     for active lanes only. Vector instructions carry no flag that makes poison of a lane and
//                          needs more than that lane; what must not be poison in any lane is selected by the mask;
//   of a strided value     for the lanes that are active. Its one scalar is lane 0's, which may be inactive: it is
//                          computed without any of these facts, modulo the type's width, where sums, differences,
//                          products by a constant and truncations are exact in every lane. What is not exact modulo
//                          the width, an extension, needs to know where lane 0 lies (`Progression` below) or starts
//                          from a lane that is active (Widener::extendedLaneZero).
#pragma once

#include <cstdint>
#include <string>

namespace lanecl::vectorizer {

// Further facts about the lanes' numbers of a strided value, by which an extension of them is strided, too.
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
    return stride == 0 ? uniform() : Shape{Kind::Strided, stride, numbers};
  }

  Kind kind() const { return shape_kind; }
  bool isUndefined() const { return shape_kind == Kind::Undefined; }
  bool isUniform() const { return shape_kind == Kind::Uniform; }
  bool isStrided() const { return shape_kind == Kind::Strided; }
  bool isVarying() const { return shape_kind == Kind::Varying; }
  // Uniform or strided: lane 0 and the stride determine all lanes.
  bool isLinear() const { return isUniform() || isStrided(); }
  int64_t stride() const { return lane_stride; }
  const Progression &progression() const { return numbers; }

  // The least shape that holds for both.
  static Shape join(const Shape &a, const Shape &b);

  bool operator==(const Shape &) const = default;
  std::string str() const; // "uniform", "strided(4)", "strided(1, nuw, nsw, nneg)", "varying"

private:
  Shape(Kind kind, int64_t stride, Progression numbers) : shape_kind(kind), numbers(numbers), lane_stride(stride) {}

  Kind shape_kind;
  Progression numbers;
  int64_t lane_stride;
};

} // namespace lanecl::vectorizer
