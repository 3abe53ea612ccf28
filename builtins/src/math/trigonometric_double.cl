// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sin, cos, tan and sincos of double, and their forms for multiples of pi.
#include "double_math.h"

// x = quadrant * pi/2 + r with |r| <= pi/4. Only the low two bits of the quadrant matter.
typedef struct {
  double r;
  ulong quadrant;
} Reduced;

// 2/pi after 64 zero bits, to as many bits as the largest exponent needs.
__constant ulong kTwoOverPiOfDouble[] = {0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                         0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
                                         0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
                                         0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
                                         0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
                                         0xf0cfbc209af4361d, 0xa9e391615ee61b08};

// Returns 64 bits of the table, starting `shift` bits into this word.
INLINE ulong window(int word, int shift) {
  return kTwoOverPiOfDouble[word] << shift | kTwoOverPiOfDouble[word + 1] >> 1 >> (63 - shift);
}

// Reduces x = m * 2^e, which is not negative. Bits of 2/pi that only add whole turns are skipped. The next 192 bits
// give the fraction of a turn to 126 bits. Up to 62 of these are zero for a double close to a multiple of pi/2.
static Reduced reduceLarge(double x) {
  ulong bits = as_ulong(x);
  ulong m = (bits & 0xfffffffffffff) | 0x10000000000000;
  int first_bit = (int)(bits >> 52) - 1075 + 62;
  first_bit = first_bit > 1033 ? 1033 : first_bit; // matters for infinities and NaN only, whose result is not used
  int word = first_bit >> 6, shift = first_bit & 63;
  ulong high = window(word, shift), middle = window(word + 1, shift), low = window(word + 2, shift);
  ulong product = m * middle, turn_low = product + mul_hi(m, low);
  ulong turn = m * high + mul_hi(m, middle) + (turn_low < product ? 1 : 0);
  ulong quadrant = (turn + (1ul << 61)) >> 62;
  // The product of the leading parts is exact.
  long fraction = (long)(turn - (quadrant << 62)), leading = fraction & ~0xffffffffl;
  double rest = (double)(uint)fraction + (double)turn_low * 0x1p-64;
  const double pi_2_leading = 0x1.921fbp-62, pi_2_rest = 0x1.5110b4611a626p-84;
  double r = (double)leading * pi_2_leading + ((double)leading * pi_2_rest + rest * (M_PI_2 * 0x1p-62));
  return (Reduced){x < INFINITY ? r : NAN, quadrant};
}

static __constant double kLargestReduced = 0x1p19;

// Reduces a number that is not negative. The first difference, which uses fma, is exact, and the following ones are as
// exact as the result needs.
INLINE Reduced reduce(double x) {
  Nearest n = nearestProduct(x, M_2_PI);
  double r = __builtin_fma(-n.value, 0x1.921fb54442d18p+0, x);
  r = __builtin_fma(-n.value, 0x1.1a62633145c07p-54, r);
  r = __builtin_fma(-n.value, -0x1.f1976b7ed8fbcp-110, r);
  Reduced result = {r, n.bits};
  if (x > kLargestReduced)
    result = reduceLarge(x);
  return result;
}

// Return sin(r) and cos(r) for r in [-pi/4, pi/4] with relative errors of 2^-55 and 2^-60.
INLINE double sinPolynomial(double r) {
  double z = r * r;
  double p = 0x1.5e0a4fc16be59p-33;
  p = p * z - 0x1.ae6008d114485p-26;
  p = p * z + 0x1.71de37946ed6dp-19;
  p = p * z - 0x1.a01a019e820aep-13;
  p = p * z + 0x1.1111111110babp-7;
  p = p * z - 0x1.5555555555555p-3;
  return r * z * p + r;
}
INLINE double cosPolynomial(double r) {
  double z = r * r;
  double p = -0x1.907cd8ff5ede7p-37;
  p = p * z + 0x1.1eeb67d026ec6p-29;
  p = p * z - 0x1.27e4fa16cc2d1p-22;
  p = p * z + 0x1.a01a019f4ddfdp-16;
  p = p * z - 0x1.6c16c16c16963p-10;
  p = p * z + 0x1.5555555555555p-5;
  return z * z * p + (1.0 - 0.5 * z);
}

INLINE double negateIf(double x, ulong bit) { return as_double(as_ulong(x) ^ bit << 63); }

// The sine and the cosine compute both polynomials and select one, because a branch between them would make the lanes
// diverge.
INLINE double sinOf(Reduced x) {
  double s = sinPolynomial(x.r), c = cosPolynomial(x.r);
  return negateIf(x.quadrant & 1 ? c : s, x.quadrant >> 1 & 1);
}
INLINE double cosOf(Reduced x) {
  double s = sinPolynomial(x.r), c = cosPolynomial(x.r);
  return negateIf(x.quadrant & 1 ? s : c, (x.quadrant + 1) >> 1 & 1);
}
// The tangent in [-pi/4, pi/4] is a quotient of polynomials with a relative error of 2^-55.
INLINE double tanOf(Reduced x) {
  double z = x.r * x.r;
  double n = -0x1.f6255b010899cp-18;
  n = n * z + 0x1.6fc343124a337p-9;
  n = n * z - 0x1.06b8f603d3a95p-3;
  double dividend = x.r * z * n + x.r;
  double divisor = -0x1.b51d1ea106089p-13;
  divisor = divisor * z + 0x1.7e798c55b81c3p-6;
  divisor = divisor * z - 0x1.d8b1d0573f27cp-2;
  divisor = divisor * z + 1.0;
  bool is_odd = x.quadrant & 1;
  return quotient(is_odd ? -divisor : dividend, is_odd ? dividend : divisor);
}

// Returns sin(r) for |r| <= pi/2, negated after an odd number of half turns. The relative error is 2^-58, and the
// result at pi/2 is exactly 1. The limits cut off what rounding errors make larger than 1.
INLINE double sineAfterHalfTurns(double r, ulong half_turns) {
  double z = r * r, square = z * z;
  double odd = 0x1.883c30bac11ffp-49;
  odd = odd * square + 0x1.6123ce53aa479p-33;
  odd = odd * square + 0x1.71de3a52aac67p-19;
  odd = odd * square + 0x1.11111111110cdp-7;
  double even = -0x1.ae43dd5090616p-41;
  even = even * square - 0x1.ae6454d968ce3p-26;
  even = even * square - 0x1.a01a01a014eb7p-13;
  even = even * square - 0x1.5555555555555p-3;
  return negateIf(limit(r * z * (odd * z + even) + r, -1.0, 1.0), half_turns);
}
// Returns x - n * pi, as in reduce().
INLINE double withoutHalfTurns(double x, double n) {
  double r = __builtin_fma(-n, 0x1.921fb54442d18p+1, x);
  r = __builtin_fma(-n, 0x1.1a62633145c07p-53, r);
  return __builtin_fma(-n, -0x1.f1976b7ed8fbcp-109, r);
}

INLINE double nanUnlessFinite(double x, double result) { return absolute(x) < INFINITY ? result : NAN; }

// Returns an odd function's result for x, given the result for |x|. If the latter is zero, it is positive.
INLINE double oddOf(double x, double result) { return negateIf(result, as_ulong(x) >> 63); }

OVERLOADABLE double sin(double x) {
  double magnitude = absolute(x);
  Nearest n = nearestProduct(magnitude, M_1_PI);
  double result = sineAfterHalfTurns(withoutHalfTurns(magnitude, n.value), n.bits);
  if (magnitude > kLargestReduced)
    result = sinOf(reduceLarge(magnitude));
  return oddOf(x, result);
}

// cos(x) is the sine a quarter turn later: half turns are counted with an offset of one half.
OVERLOADABLE double cos(double x) {
  Nearest n = nearest(x * M_1_PI - 0.5);
  double result = sineAfterHalfTurns(withoutHalfTurns(x, n.value + 0.5), n.bits + 1);
  if (absolute(x) > kLargestReduced)
    result = cosOf(reduceLarge(absolute(x)));
  return result;
}

OVERLOADABLE double tan(double x) { return oddOf(x, tanOf(reduce(absolute(x)))); }

OVERLOADABLE double sincos(double x, __private double *cosine) {
  Reduced reduced = reduce(absolute(x));
  *cosine = cosOf(reduced);
  return oddOf(x, sinOf(reduced));
}

// Reduces x, which counts half turns. The reduction is exact.
INLINE Reduced reduceTurns(double x) {
  double whole_turns = 2.0 * __builtin_trunc(0.5 * x);
  double turn = x - whole_turns;
  Nearest n = nearestProduct(2.0, turn);
  return (Reduced){(turn - 0.5 * n.value) * M_PI, n.bits};
}

// Returns sin(pi r) for |r| <= 1/2. The rounding error of the product with pi is added again.
INLINE double sinPiPolynomial(double r) {
  double z = r * r, square = z * z;
  double odd = 0x1.9c92d78580df7p-21;
  odd = odd * square + 0x1.e8f3418941387p-12;
  odd = odd * square + 0x1.5078348458d65p-4;
  odd = odd * square + 0x1.466bc6775aa4p+1;
  double even = -0x1.6f751887b74f2p-16;
  even = even * square - 0x1.e3074d78694a4p-8;
  even = even * square - 0x1.32d2cce625ccep-1;
  even = even * square - 0x1.4abbce625be52p+2;
  double angle = r * M_PI, lost = __builtin_fma(r, M_PI, -angle) + r * 0x1.1a62633145c07p-53;
  return angle + (r * z * (odd * z + even) + lost);
}

// The product with 0 makes the result NaN where x is not finite.
INLINE double finiteOrNan(double x, double result) { return x * 0.0 + result; }

// x / 2 is farther than 1/4 from an integer if the integer nearest to x is odd. The signs of zeros are those of the
// specification: that of x for sinpi, and positive for cospi.
OVERLOADABLE double sinpi(double x) {
  double result = sinPiPolynomial(__lanecl_nearest_rest(x));
  result = absolute(__lanecl_nearest_rest(0.5 * x)) > 0.25 ? -result : result;
  return finiteOrNan(x, result == 0.0 ? withSignOf(0.0, x) : result);
}
OVERLOADABLE double cospi(double x) {
  return finiteOrNan(x, sinPiPolynomial(0.5 - 2.0 * absolute(__lanecl_nearest_rest(0.5 * x))));
}

// tanpi(n) is 0, with the sign of n for even n and the opposite sign for odd n. tanpi(n + 0.5) is infinite, and
// positive for even n.
OVERLOADABLE double tanpi(double x) {
  Reduced reduced = reduceTurns(x);
  double zero = negateIf(withSignOf(0.0, x), reduced.quadrant >> 1 & 1);
  double pole = negateIf(INFINITY, reduced.quadrant >> 1 & 1);
  double result = reduced.r == 0.0 ? (reduced.quadrant & 1 ? pole : zero) : tanOf(reduced);
  return nanUnlessFinite(x, result);
}

UNARY_VECTORS(sin, double)
UNARY_VECTORS(cos, double)
UNARY_VECTORS(tan, double)
UNARY_VECTORS(sinpi, double)
UNARY_VECTORS(cospi, double)
UNARY_VECTORS(tanpi, double)
SINCOS_VECTORS(double)
