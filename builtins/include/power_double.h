// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The binary logarithm and the power of double, each in two doubles: an exponent of 1000 takes ten bits of a single
// double.
#pragma once

#include "logarithm_table.h"

// The number high + low, where low is at most half an ulp of high.
typedef struct {
  double high, low;
} Pair;

// Returns the exact product.
INLINE Pair product(double x, double y) {
  double high = x * y;
  return (Pair){high, __builtin_fma(x, y, -high)};
}

// Returns log2(x) for finite x > 0 with a relative error of 2^-60, with AVX-512's lookups. f - f^2/2 is computed in two
// parts.
INLINE Pair log2PairByTable(double x) {
  TableSplit s = tableSplit(x);
  double minus_half = -0.5 * s.f, u = __builtin_fma(minus_half, s.f, s.f);
  double rest = tableCubic(s.f) + __builtin_fma(minus_half, s.f, s.f - u), v = u + rest, v_low = rest - (v - u);
  Pair main = product(v, M_LOG2E);
  Known known = knownBinary(s);
  double tail = main.low + (v * 0x1.777d0ffda0d24p-56 + v_low * M_LOG2E), high = known.high + main.high;
  return (Pair){high, main.high - (high - known.high) + (known.low + tail)};
}

// Returns log2(x) for finite x > 0 with a relative error of 2^-61. The mantissa, in [0.917, 1.834), is divided by the
// nearest of four numbers. One of them is 1, so that nothing cancels where the result is close to 0.
INLINE Pair log2Pair(double x) {
  if (__lanecl_has_lane_instructions())
    return log2PairByTable(x);
  Split s = split(x);
  bool is_low = s.mantissa < 0.917;
  double m = is_low ? 2.0 * s.mantissa : s.mantissa, exponent = is_low ? s.exponent - 1.0 : s.exponent;
  bool second = m >= 1.0904, third = m >= 1.2969, fourth = m >= 1.542;
  double center = fourth ? 1.68359375 : third ? 1.4140625 : second ? 1.1875 : 1.0;
  double center_high = fourth   ? 0x1.80ca620694000p-1
                       : third  ? 0x1.ffd799a83e000p-2
                       : second ? 0x1.fbc16b9026000p-3
                                : 0.0;
  double center_low = fourth   ? 0x1.bf192234497dcp-42
                      : third  ? 0x1.f9ab9cc7f3430p-42
                      : second ? 0x1.0144751b3314fp-44
                               : 0.0;
  // The quotient q = difference / sum satisfies m / center = (1 + q) / (1 - q).
  double difference = m - center, sum = m + center, sum_low = m - (sum - center);
  double over = reciprocal(sum), q = difference * over;
  double q_low = (__builtin_fma(-q, sum, difference) - q * sum_low) * over;
  double z = q * q;
  double p = 0x1.0de525e581a9ep-2;
  p = p * z + 0x1.484a6bde03cdcp-2;
  p = p * z + 0x1.a61762ca7e061p-2;
  p = p * z + 0x1.2776c50ef87ccp-1;
  p = p * z + 0x1.ec709dc3a03fep-1;
  const double factor = 0x1.71547652b82fep+1, factor_low = 0x1.777d0ffda0d24p-55; // 2 / log(2)
  Pair main = product(q, factor);
  double tail = main.low + (q * factor_low + (q_low * factor + q * z * p));
  double known = exponent + center_high, high = known + main.high;
  double low = main.high - (high - known) + (center_low + tail);
  double total = high + low;
  return (Pair){total, low - (total - high)};
}

// Returns 2^(x.high + x.low + more) for |more| <= 256, also where x.high is infinite.
INLINE double exp2Pair(Pair x, int more) {
  if (__lanecl_has_lane_instructions()) {
    // If the exponent is far out of range, the rest is any number, or NaN if the exponent is infinite. It does not
    // matter: the scaling gives 0 or infinity.
    Nearest n = nearestSixteenth(x.high, 1.0);
    double rest = limit(x.high - n.value + x.low, -1.0, 1.0);
    return scaleSixteenths(exp2MinusOneNarrow(rest), (Nearest){more == 0 ? n.value : n.value + (double)more, n.bits});
  }
  bool is_moderate = absolute(x.high) < 1400.0;
  double limited = limit(x.high, -1400.0, 1400.0);
  Nearest n = nearest(limited);
  double r = limited - n.value + (is_moderate ? x.low : 0.0);
  return scale(exp2Within(r), (Nearest){n.value + (double)more, n.bits + (ulong)(long)more});
}
