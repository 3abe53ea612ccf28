// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What operations and conversions compute, bit by bit.
#pragma once

#include "language/operations.h"
#include "language/types.h"

namespace lanecl::fuzz {

// A result, and whether the plain text is undefined for these operands. If it is, the result is that of the guarded
// text.
struct Result {
  uint64_t bits = 0;
  bool undefined = false;
};

// Computes one component; `type` is the type of the first operand.
Result operate(Op op, Type type, uint64_t a, uint64_t b, uint64_t c);

uint64_t convert(Base to, Base from, uint64_t bits, bool saturated, Rounding rounding = Rounding::Cast);

float toFloat(uint64_t bits);
uint64_t fromFloat(float value);

} // namespace lanecl::fuzz
