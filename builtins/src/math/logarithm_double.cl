// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// log, log2, log10 and log1p of double: x = m * 2^e. log(m) comes from a table, or is a series in (m - 1) / (m + 1).
#include "logarithm_table.h"

// Returns log(1 + f) - f for f in [-1/4, 1/2]. The polynomial has two halves, which the processor computes at the same
// time.
INLINE double logTail(double f) {
  double s = f * reciprocal(2.0 + f), z = s * s, square = z * z;
  double odd = 0x1.1b6e9cb189a41p-3;
  odd = odd * square + 0x1.3b3599e79bc1fp-3;
  odd = odd * square + 0x1.c71c748b96914p-3;
  odd = odd * square + 0x1.999999999c151p-2;
  double even = 0x1.0dce479eeb09bp-3;
  even = even * square + 0x1.745c4bf5766a3p-3;
  even = even * square + 0x1.24924921e8189p-2;
  even = even * square + 0x1.555555555554fp-1;
  double half_square = 0.5 * f * f;
  return s * (half_square + z * (odd * z + even)) - half_square;
}

// Returns log(x) for the number that was split.
INLINE double logOf(TableSplit s) {
  Known known = knownNatural(s);
  return known.high + (s.f + (tableTail(s.f) + known.low));
}

// The constant log(2) has two parts, the first of which is so short that its product with the exponent is exact.
OVERLOADABLE double log(double x) {
  if (__lanecl_has_lane_instructions())
    return logOf(tableSplit(x));
  Split s = split(x);
  double f = s.mantissa - 1.0;
  double tail = s.exponent * 0x1.cf79abc9e3b3ap-40 + logTail(f);
  return s.exponent * 0x1.62e42fefa0000p-1 + (f + tail);
}

// log2(e) is 1 + 0.4427, so f itself is added without the rounding of a product.
OVERLOADABLE double log2(double x) {
  if (__lanecl_has_lane_instructions()) {
    TableSplit s = tableSplit(x);
    Known known = knownBinary(s);
    return known.high + (s.f + (s.f * 0x1.c551d94ae0bf8p-2 + (tableTail(s.f) * M_LOG2E + known.low)));
  }
  Split s = split(x);
  double f = s.mantissa - 1.0, tail = logTail(f);
  double rest = f * 0x1.c551d94ae0bf8p-2 + (tail * 0x1.c551d94ae0bf8p-2 + tail);
  return s.exponent + (f + rest);
}

OVERLOADABLE double log10(double x) {
  if (__lanecl_has_lane_instructions()) {
    TableSplit s = tableSplit(x);
    Known known = knownNatural(s);
    double rest = s.f + (tableTail(s.f) + known.low);
    return known.high * M_LOG10E + (known.high * 0x1.95355baaafad3p-57 + rest * M_LOG10E);
  }
  Split s = split(x);
  double f = s.mantissa - 1.0, tail = logTail(f);
  double low = s.exponent * 0x1.e7fbcc47c4acdp-40 + tail * 0x1.bcb7b1526e50ep-2;
  return s.exponent * 0x1.34413509f0000p-2 + (f * 0x1.bcb7b1526e50ep-2 + low);
}

// The rounding error of 1 + x is added to f. For large x it does not matter.
OVERLOADABLE double log1p(double x) {
  double sum = 1.0 + x;
  double lost = absolute(x) < 1.0 ? x - (sum - 1.0) : 1.0 - (sum - x);
  lost = absolute(x) < 0x1p120 ? lost : 0.0;
  if (__lanecl_has_lane_instructions()) {
    TableSplit s = tableSplit(sum);
    s.f += __lanecl_scale(lost, limit(-__lanecl_exponent(sum), -120.0, 120.0), 0ul) * s.reciprocal;
    double result = logOf(s);
    return x == 0.0 ? x : result;
  }
  Split s = split(sum);
  double f = s.mantissa - 1.0 + lost * powerOfTwo(nearest(limit(-s.exponent, -120.0, 120.0)).bits);
  double tail = s.exponent * 0x1.cf79abc9e3b3ap-40 + logTail(f);
  double result = s.exponent * 0x1.62e42fefa0000p-1 + (f + tail);
  return x == 0.0 ? x : result;
}

UNARY_VECTORS(log, double)
UNARY_VECTORS(log2, double)
UNARY_VECTORS(log10, double)
UNARY_VECTORS(log1p, double)
