// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What operations and conversions compute, bit by bit.
#pragma once

#include "language/operations.h"
#include "language/types.h"

namespace lanecl::fuzz {

// The result, and whether the plain text is undefined for these operands; then the result is the guarded text's.
struct Result {
  uint64_t bits = 0;
  bool undefined = false;
};

// One component; `type` is that of the first operand.
Result operate(Op op, Type type, uint64_t a, uint64_t b, uint64_t c);

uint64_t convert(Base to, Base from, uint64_t bits, bool saturated, Rounding rounding = Rounding::Cast);

// Floats are kept small and on a coarse grid, so that sums are exact in any order.
// The number that the bits of a floating-point type are, and the nearest one's bits.
double toNumber(Base base, uint64_t bits);
uint64_t fromNumber(Base base, double number);
float toFloat(uint64_t bits);
uint64_t fromFloat(float value);
float tame(float value);
// What a value becomes when it is stored in a variable.
Value tamed(Type type, Value value);

} // namespace lanecl::fuzz
