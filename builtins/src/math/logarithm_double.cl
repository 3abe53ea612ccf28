// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// log, log2, log10, log1p of double: x = m * 2^e, and log(m) as a series in (m - 1) / (m + 1).
#include "double_math.h"

// log(1 + f) - f for f in [sqrt(1/2) - 1, sqrt(2) - 1].
INLINE double logTail(double f) {
  double s = f / (2.0 + f), z = s * s;
  double p = 0x1.0c04595972ab8p-3;
  p = p * z + 0x1.0fbe83c2cbcf3p-3;
  p = p * z + 0x1.3b1c360763b8ap-3;
  p = p * z + 0x1.745cf901605f7p-3;
  p = p * z + 0x1.c71c720160b47p-3;
  p = p * z + 0x1.2492492476c87p-2;
  p = p * z + 0x1.9999999999a38p-2;
  p = p * z + 0x1.5555555555555p-1;
  double half_square = 0.5 * f * f;
  return s * (half_square + z * p) - half_square;
}

// Special values: the logarithm of zero, of infinity, of negative numbers and of NaN.
INLINE double logSpecial(double x, double finite) {
  double result = x == 0.0 ? -INFINITY : finite;
  result = x == INFINITY ? x : result;
  return x >= 0.0 ? result : NAN;
}

OVERLOADABLE double log(double x) {
  Split s = split(x);
  double f = s.mantissa - 1.0;
  double tail = s.exponent * 0x1.cf79abc9e3b3ap-40 + logTail(f);
  return logSpecial(x, s.exponent * 0x1.62e42fefa0000p-1 + (f + tail));
}

// log2(e) is 1 + 0.4427: f itself is added without the rounding of a product.
OVERLOADABLE double log2(double x) {
  Split s = split(x);
  double f = s.mantissa - 1.0, tail = logTail(f);
  double rest = f * 0x1.c551d94ae0bf8p-2 + (tail * 0x1.c551d94ae0bf8p-2 + tail);
  return logSpecial(x, s.exponent + (f + rest));
}

OVERLOADABLE double log10(double x) {
  Split s = split(x);
  double f = s.mantissa - 1.0, tail = logTail(f);
  double low = s.exponent * 0x1.e7fbcc47c4acdp-40 + tail * 0x1.bcb7b1526e50ep-2;
  return logSpecial(x, s.exponent * 0x1.34413509f0000p-2 + (f * 0x1.bcb7b1526e50ep-2 + low));
}

// The rounding error of 1 + x is added to f.
OVERLOADABLE double log1p(double x) {
  double sum = 1.0 + x;
  double lost = absolute(x) < 1.0 ? x - (sum - 1.0) : 1.0 - (sum - x);
  Split s = split(sum);
  double f = s.mantissa - 1.0 + lost * powerOfTwo(0 - nearest(limit(s.exponent, -1022.0, 1022.0)).bits);
  double tail = s.exponent * 0x1.cf79abc9e3b3ap-40 + logTail(f);
  double result = logSpecial(sum, s.exponent * 0x1.62e42fefa0000p-1 + (f + tail));
  return x == 0.0 ? x : result;
}

UNARY_VECTORS(log, double)
UNARY_VECTORS(log2, double)
UNARY_VECTORS(log10, double)
UNARY_VECTORS(log1p, double)
