// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sin, cos, tan and sincos of float, and their forms for multiples of pi.
#include "float_math.h"

// x = quadrant * pi/2 + r with |r| <= pi/4. Only the low two bits of the quadrant matter.
typedef struct {
  float r;
  int quadrant;
} Reduced;

// 2/pi after 32 zero bits, to as many bits as the largest exponent needs.
__constant uint kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

// Reduces x = m * 2^e, which is not negative. Bits of 2/pi that only add whole turns are skipped. The next 96 bits give
// the fraction of a turn to 62 bits.
static Reduced reduceLarge(float x) {
  int bits = as_int(x);
  ulong m = (bits & 0x7fffff) | 0x800000;
  int first_bit = (bits >> 23) - 150 + 30;
  int word = first_bit >> 5, shift = first_bit & 31;
  ulong t0 = kTwoOverPi[word], t1 = kTwoOverPi[word + 1], t2 = kTwoOverPi[word + 2], t3 = kTwoOverPi[word + 3];
  uint high = (uint)((t0 << 32 | t1) << shift >> 32);
  uint middle = (uint)((t1 << 32 | t2) << shift >> 32);
  uint low = (uint)((t2 << 32 | t3) << shift >> 32);
  ulong turn = (m * high << 32) + m * middle + (m * low >> 32);
  int quadrant = (int)((turn + (1ul << 61)) >> 62);
  double fraction = (double)(long)(turn - ((ulong)quadrant << 62));
  float r = (float)(fraction * (M_PI_2 * 0x1p-62));
  return (Reduced){x < INFINITY ? r : NAN, quadrant};
}

static __constant float kLargestReduced = 100000.0f;

// Reduces a number that is not negative. The first difference, which uses fma, is exact, and the following ones are as
// exact as the result needs.
INLINE Reduced reduce(float x) {
  Nearest n = nearestProduct(x, M_2_PI_F);
  float r = __builtin_fmaf(-n.value, 0x1.921fb6p+0f, x);
  r = __builtin_fmaf(-n.value, -0x1.777a5cp-25f, r);
  r = __builtin_fmaf(-n.value, -0x1.ee59dap-50f, r);
  Reduced result = {r, n.bits};
  if (x > kLargestReduced)
    result = reduceLarge(x);
  return result;
}

// Return sin(r) and cos(r) for r in [-pi/4, pi/4] with relative errors of 2^-26 and 2^-29.
INLINE float sinPolynomial(float r) {
  float z = r * r;
  float p = -0x1.9ac6fcp-13f;
  p = p * z + 0x1.110c24p-7f;
  p = p * z - 0x1.555552p-3f;
  return r * z * p + r;
}
INLINE float cosPolynomial(float r) {
  float z = r * r;
  float p = 0x1.9bd67p-16f;
  p = p * z - 0x1.6c12cep-10f;
  p = p * z + 0x1.555554p-5f;
  return z * z * p + (1.0f - 0.5f * z);
}

INLINE float negateIf(float x, int bit) { return as_float(as_int(x) ^ bit << 31); }

// The sine and the cosine compute both polynomials and select one, because a branch between them would make the lanes
// diverge.
INLINE float sinOf(Reduced x) {
  float s = sinPolynomial(x.r), c = cosPolynomial(x.r);
  return negateIf(x.quadrant & 1 ? c : s, x.quadrant >> 1 & 1);
}
INLINE float cosOf(Reduced x) {
  float s = sinPolynomial(x.r), c = cosPolynomial(x.r);
  return negateIf(x.quadrant & 1 ? s : c, (x.quadrant + 1) >> 1 & 1);
}
INLINE float tanOf(Reduced x) {
  float s = sinPolynomial(x.r), c = cosPolynomial(x.r);
  bool is_odd = x.quadrant & 1;
  return (is_odd ? -c : s) * reciprocal(is_odd ? s : c);
}

INLINE float nanUnlessFinite(float x, float result) { return absolute(x) < INFINITY ? result : NAN; }

// Returns an odd function's result for x, given the result for |x|. If the latter is zero, it is positive.
INLINE float oddOf(float x, float result) { return negateIf(result, as_uint(x) >> 31); }

// Returns sin(r) for |r| <= pi/2, negated after an odd number of half turns. The relative error is 2^-27, and the
// result at pi/2 is exactly 1. The limits cut off what rounding errors make larger than 1.
INLINE float sineAfterHalfTurns(float r, int half_turns) {
  float z = r * r;
  float p = 0x1.5dc9p-19f;
  p = p * z - 0x1.9f70fp-13f;
  p = p * z + 0x1.110edap-7f;
  p = p * z - 0x1.55554cp-3f;
  return negateIf(limit(r * z * p + r, -1.0f, 1.0f), half_turns & 1);
}
// Returns x - n * pi, as in reduce().
INLINE float withoutHalfTurns(float x, float n) {
  float r = __builtin_fmaf(-n, 0x1.921fb6p+1f, x);
  r = __builtin_fmaf(-n, -0x1.777a5cp-24f, r);
  return __builtin_fmaf(-n, -0x1.ee59dap-49f, r);
}

OVERLOADABLE float sin(float x) {
  float magnitude = absolute(x);
  Nearest n = nearestProduct(magnitude, M_1_PI_F);
  float result = sineAfterHalfTurns(withoutHalfTurns(magnitude, n.value), n.bits);
  if (magnitude > kLargestReduced)
    result = sinOf(reduceLarge(magnitude));
  return oddOf(x, result);
}

// cos(x) is the sine a quarter turn later: half turns are counted with an offset of one half.
OVERLOADABLE float cos(float x) {
  Nearest n = nearest(x * M_1_PI_F - 0.5f);
  float result = sineAfterHalfTurns(withoutHalfTurns(x, n.value + 0.5f), n.bits + 1);
  if (absolute(x) > kLargestReduced)
    result = cosOf(reduceLarge(absolute(x)));
  return result;
}

OVERLOADABLE float tan(float x) { return oddOf(x, tanOf(reduce(absolute(x)))); }

OVERLOADABLE float sincos(float x, __private float *cosine) {
  Reduced reduced = reduce(absolute(x));
  *cosine = cosOf(reduced);
  return oddOf(x, sinOf(reduced));
}

// Reduces x, which counts half turns. The reduction is exact.
INLINE Reduced reduceTurns(float x) {
  float whole_turns = 2.0f * __builtin_truncf(0.5f * x);
  float turn = x - whole_turns;
  Nearest n = nearestProduct(2.0f, turn);
  return (Reduced){(turn - 0.5f * n.value) * M_PI_F, n.bits};
}

// Returns sin(pi r) for |r| <= 1/2. The rounding error of the product with pi is added again.
INLINE float sinPiPolynomial(float r) {
  float z = r * r;
  float p = 0x1.3e56a4p-4f;
  p = p * z - 0x1.32587ep-1f;
  p = p * z + 0x1.46693ap+1f;
  p = p * z - 0x1.4abbc6p+2f;
  float angle = r * M_PI_F, lost = __builtin_fmaf(r, M_PI_F, -angle) + r * -0x1.777a5cp-24f;
  return angle + (r * z * p + lost);
}

// The product with 0 makes the result NaN where x is not finite.
INLINE float finiteOrNan(float x, float result) { return x * 0.0f + result; }

// x / 2 is farther than 1/4 from an integer if the integer nearest to x is odd. The signs of zeros are those of the
// specification: that of x for sinpi, and positive for cospi.
OVERLOADABLE float sinpi(float x) {
  float result = sinPiPolynomial(__lanecl_nearest_rest(x));
  result = absolute(__lanecl_nearest_rest(0.5f * x)) > 0.25f ? -result : result;
  return finiteOrNan(x, result == 0.0f ? withSignOf(0.0f, x) : result);
}
OVERLOADABLE float cospi(float x) {
  return finiteOrNan(x, sinPiPolynomial(0.5f - 2.0f * absolute(__lanecl_nearest_rest(0.5f * x))));
}

// tanpi(n) is 0, with the sign of n for even n and the opposite sign for odd n. tanpi(n + 0.5) is infinite, and
// positive for even n.
OVERLOADABLE float tanpi(float x) {
  Reduced reduced = reduceTurns(x);
  float s = sinPolynomial(reduced.r), c = cosPolynomial(reduced.r);
  float zero = negateIf(withSignOf(0.0f, x), reduced.quadrant >> 1 & 1);
  float pole = negateIf(INFINITY, reduced.quadrant >> 1 & 1);
  float even = s == 0.0f ? zero : s / c, odd = s == 0.0f ? pole : -c / s;
  return nanUnlessFinite(x, reduced.quadrant & 1 ? odd : even);
}

VECTORS_OF_UNARY(sin)
VECTORS_OF_UNARY(cos)
VECTORS_OF_UNARY(tan)
VECTORS_OF_UNARY(sinpi)
VECTORS_OF_UNARY(cospi)
VECTORS_OF_UNARY(tanpi)
SINCOS_VECTORS(float)
