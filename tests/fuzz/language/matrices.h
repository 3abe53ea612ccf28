// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The matrices of multiply-accumulate functions (cl_intel_subgroup_matrix_multiply_accumulate, and its split and tf32
// companions), as the functions' names describe them. The left matrix has M rows of K elements. The right one has a
// column of K elements for each work-item. The sum has M elements for each work-item, one in each row.
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

// The elements and sizes of the matrices that one function multiplies.
struct Matrices {
  Element left = Element::I8, right = Element::I8;
  bool split = false; // two sub-groups pass half of the left matrix's rows each
  Type sum{};

  unsigned rows() const { return sum.lanes; }
  unsigned depth() const { return left == Element::Tf32 ? 8 : 256 / bitsOf(left); } // the number K

  // Whether there is such a function for sub-groups of that size.
  bool allowWidth(unsigned width) const;
  // The types that a work-item passes. That of the left matrix is narrower in a larger sub-group.
  Type leftType(unsigned width) const;
  Type rightType() const;
};

// Returns the matrices of a function of kind Matrix or SplitMatrix for a sum of that type, and the base type of the
// function's sums.
Matrices matricesOf(SubGroupFunction function, Type sum);
Base sumBase(SubGroupFunction function);

} // namespace lanecl::fuzz
