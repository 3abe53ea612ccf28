// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of which some bits are unknown. The functions tell which bits of a result are known all the same. A bit that
// is said to be known has the same value whatever the unknown bits are. The converse does not hold: some bits with that
// property are not recognized.
#pragma once

#include "language/operations.h"
#include "language/types.h"

namespace lanecl::fuzz {

// One component: its bits as chosen, and a mask of those that are unknown.
struct Scalar {
  uint64_t bits = 0;
  uint64_t unknown = 0;
};

// The result of a condition.
struct Truth {
  bool holds = false; // the result with the bits as they were chosen
  bool known = true;
};

bool isKnown(const Value &v);
uint64_t known(const Value &v); // returns the first component; throws Rejected if it is unknown
// Returns whether the value is not zero. Throws Rejected if that depends on bits that are not settled.
Truth truthOf(const Value &v);

// Returns the value that is taken; the bits in which the two differ are unknown.
Scalar either(bool first, Scalar a, Scalar b);

// The range of numbers that a value with unknown bits may be.
struct Range {
  Wide lowest, highest;
};
Range rangeOf(Base base, Scalar s);

// Returns the unknown bits of one component of the result, which has type `to`; `type` is the type of the first
// operand.
uint64_t unknownBits(Op op, Type type, Base to, const Scalar (&operands)[3]);
// Returns whether the plain text may overflow, which C leaves undefined.
bool mayOverflow(Op op, Type type, const Scalar (&operands)[3]);
// Returns the unknown bits of a value converted from one type to another.
uint64_t unknownBitsOfConversion(Base to, Base from, Scalar s, bool saturated);

} // namespace lanecl::fuzz
