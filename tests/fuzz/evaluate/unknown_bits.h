// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of which some bits are unknown: which bits of a result are known all the same. Bits that are said to be known
// are the same whatever the unknown ones are; not all of those that are so are found.
#pragma once

#include "language/operations.h"
#include "language/types.h"

namespace lanecl::fuzz {

struct Scalar {
  uint64_t bits = 0;
  uint64_t unknown = 0;
};

// A condition.
struct Truth {
  bool holds = false; // as the bits are
  bool known = true;
};

bool isKnown(const Value &v);
uint64_t known(const Value &v); // the first component; throws Rejected where it is unknown
Truth truthOf(const Value &v);  // whether it is not zero; throws Rejected where it depends on bits that are not settled

// Either one of the two.
Scalar either(bool first, Scalar a, Scalar b);

// The numbers that it may be.
struct Range {
  Wide lowest, highest;
};
Range rangeOf(Base base, Scalar s);

// The unknown bits of the result, of the type `to`, of one component; `type` is that of the first operand.
uint64_t unknownBits(Op op, Type type, Base to, const Scalar (&operands)[3]);
// Whether the plain text may overflow, which C leaves undefined.
bool mayOverflow(Op op, Type type, const Scalar (&operands)[3]);
uint64_t unknownBitsOfConversion(Base to, Base from, Scalar s, bool saturated);

} // namespace lanecl::fuzz
