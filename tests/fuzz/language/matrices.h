// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The matrices of multiply-accumulate functions (cl_intel_subgroup_matrix_multiply_accumulate, its split and its tf32
// companions), as their names say them: the left one has M rows of K elements, the right one a column of K elements for
// each work-item, the sum M rows of an element for each work-item.
#pragma once

#include "language/sub_group_functions.h"

namespace lanecl::fuzz {

enum class Element { I4, U4, I8, U8, F16, Bf16, Tf32 };

constexpr unsigned bitsOf(Element element) {
  return element <= Element::U4 ? 4 : element <= Element::U8 ? 8 : element == Element::Tf32 ? 32 : 16;
}
constexpr bool isInteger(Element element) {
  return element <= Element::U8;
}
constexpr bool isSigned(Element element) {
  return element != Element::U4 && element != Element::U8;
}

struct Matrices {
  Element left = Element::I8, right = Element::I8;
  bool split = false; // two sub-groups pass half of the left one's rows each
  Type sum{};

  unsigned rows() const { return sum.lanes; }
  unsigned depth() const { return left == Element::Tf32 ? 8 : 256 / bitsOf(left); } // K

  // Whether there is such a function for sub-groups of that size.
  bool allowWidth(unsigned width) const;
  // What a work-item passes. The left one's is narrower where there are more work-items.
  Type leftType(unsigned width) const;
  Type rightType() const;
};

// Of a function of Matrix or SplitMatrix: for a sum of that type, and what sums it has.
Matrices matricesOf(SubGroupFunction function, Type sum);
Base sumBase(SubGroupFunction function);

} // namespace lanecl::fuzz
