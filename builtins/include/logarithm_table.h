// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Logarithms of double with AVX-512's lookups. A mantissa m is multiplied by a number r from a table, so that m * r is
// close to 1, and log(x) = log(m * r) - log(r) + exponent * log(2).
#pragma once

#include "double_math.h"

// The factors r for 16 intervals of mantissas in [3/4, 3/2), which the four leading bits of the mantissa number. They
// are multiples of 1/32 and close to the reciprocal of the mantissas, so m * r - 1 is exact and in [-0.0372, 1/16].
// Close to 1 they are 1, so that nothing cancels where the result is close to 0.
static __constant const double kReciprocals[16] = {1.0,    0.90625, 0.875,   0.8125,  0.78125, 0.75,    0.71875, 0.6875,
                                                   1.3125, 1.25,    1.21875, 1.15625, 1.125,   1.09375, 1.0625,  1.0};

// The logarithms -log(r) in two parts, to the bases e and 2. The logarithms for mantissas below 1 include
// that of one more 2, because __lanecl_floor_exponent() counts for mantissas in [1, 2).
static __constant const double kNatural[16] = {
    0.0,                  0x1.9335e5d590000p-4, 0x1.1178e82280000p-3, 0x1.a93ed3c8b0000p-3,
    0x1.f991c6cb38000p-3, 0x1.269621134c000p-2, 0x1.522ae0738c000p-2, 0x1.7fafa3bd80000p-2,
    0x1.af52952484000p-2, 0x1.e148a1a26c000p-2, 0x1.fb358af79c000p-2, 0x1.188ee40f20000p-1,
    0x1.269621134a000p-1, 0x1.35028ad9d6000p-1, 0x1.43d9ff2f8e000p-1, 0x1.62e42fefa0000p-1};
static __constant const double kNaturalLow[16] = {
    0.0,                   0x1.2622b8757a8fbp-42,  -0x1.b8421cc74be04p-43, -0x1.30e486a0ac42dp-42,
    0x1.9bcbecca0cdf3p-42, 0x1.b92783beb7677p-42,  -0x1.c2831efd36715p-42, 0x1.51bede6fdb533p-42,
    0x1.1ba0ceab622efp-39, 0x1.9b36537e3375bp-40,  0x1.11085fa3c1649p-39,  0x1.e53313be2ad19p-40,
    0x1.dc93c1df5bb3bp-40, 0x1.642e0fe549f9bp-40,  0x1.0f133d85bf7d7p-39,  0x1.cf79abc9e3b3ap-40};
static __constant const double kBinary[16] = {
    0.0,                  0x1.22dadc2ab0000p-3, 0x1.8a8980abf8000p-3, 0x1.32bfee3710000p-2,
    0x1.6cb0f6865c000p-2, 0x1.a8ff971810000p-2, 0x1.e7df5fe538000p-2, 0x1.14c560fe68000p-1,
    0x1.37222bb708000p-1, 0x1.5b2c3da198000p-1, 0x1.6ddfc2a790000p-1, 0x1.94c287492c000p-1,
    0x1.a8ff971810000p-1, 0x1.bdce9dcc96000p-1, 0x1.d338120a6e000p-1, 1.0};
static __constant const double kBinaryLow[16] = {
    0.0,                    0x1.a4b69691d7994p-42,  0x1.e9933354dbf17p-42,  -0x1.1979a5db68722p-42,
    0x1.1d406db502403p-43,  0x1.4bc302ffa76fbp-43,  0x1.5669df6a2b592p-43,  0x1.5f101c141e670p-42,
    -0x1.708b4b2b5056cp-42, -0x1.b8afe492bf6ffp-42, -0x1.ce60916e52e91p-44, 0x1.36c101ee13440p-43,
    0x1.4bc302ffa76fbp-42,  0x1.871a7610e40bdp-45,  -0x1.3167ccc538261p-44, 0.0};

// log(x) = log(1 + f) + exponent * log(2) + kNatural[interval], where 1 + f is the mantissa times `reciprocal`.
typedef struct {
  double f, reciprocal, exponent;
  ulong interval;
} TableSplit;
INLINE TableSplit tableSplit(double x) {
  double mantissa = __lanecl_mantissa(x);
  ulong interval = as_ulong(mantissa) >> 48;
  double reciprocal = __lanecl_lookup(kReciprocals, interval);
  return (TableSplit){__builtin_fma(mantissa, reciprocal, -1.0), reciprocal, __lanecl_floor_exponent(x), interval};
}

// The logarithm without log(1 + f). Sums of `high` with a multiple of 2^-40 are exact.
typedef struct {
  double high, low;
} Known;
INLINE Known knownBinary(TableSplit s) {
  return (Known){s.exponent + __lanecl_lookup(kBinary, s.interval), __lanecl_lookup(kBinaryLow, s.interval)};
}
INLINE Known knownNatural(TableSplit s) {
  return (Known){s.exponent * 0x1.62e42fefa0000p-1 + __lanecl_lookup(kNatural, s.interval),
                 s.exponent * 0x1.cf79abc9e3b3ap-40 + __lanecl_lookup(kNaturalLow, s.interval)};
}

// Returns log(1 + f) - f with an error of 2^-55 of log(1 + f). The polynomial has two halves, which the processor
// computes at the same time.
INLINE double tableTail(double f) {
  double square = f * f;
  double odd = 0x1.c6f0e90a203f7p-4;
  odd = odd * square + 0x1.24929e3359771p-3;
  odd = odd * square + 0x1.99999981baca4p-3;
  odd = odd * square + 0x1.555555555629bp-2;
  double even = -0x1.6fe1a166192e9p-4;
  even = even * square - 0x1.00103e21c6cf2p-3;
  even = even * square - 0x1.5555511a49fbcp-3;
  even = even * square - 0x1.000000003619bp-2;
  even = even * square - 0x1.fffffffffffe8p-2;
  return square * (odd * f + even);
}

// Returns log(1 + f) - f + f^2/2 with an error of 2^-66 of log(1 + f).
INLINE double tableCubic(double f) {
  double square = f * f;
  double odd = -0x1.2b0381e710dp-4;
  odd = odd * square - 0x1.99bd6864882edp-4;
  odd = odd * square - 0x1.fffff5e0a459p-4;
  odd = odd * square - 0x1.55555555e14d1p-3;
  odd = odd * square - 0x1.fffffffffffb6p-3;
  double even = 0x1.73a5ac1c9a6d2p-4;
  even = even * square + 0x1.c71dcbe2eb12p-4;
  even = even * square + 0x1.249248e28d4f8p-3;
  even = even * square + 0x1.99999999a2f86p-3;
  even = even * square + 0x1.5555555555552p-2;
  return square * f * (odd * f + even);
}
