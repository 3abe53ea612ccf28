// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// fmod, remainder, remquo of float. A quotient below 2^22 is at most one off when it is rounded, and what it leaves is
// exact; larger ones are computed in double, where every step is exact: a quotient of 29 bits times 24 bits of divisor.
#include "float_math.h"

INLINE int exponentOf(double x) { return (int)(as_ulong(x) >> 52); }
INLINE double withExponent(int biased) { return as_double((ulong)biased << 52); }

// x modulo y for finite x >= 0 and y > 0.
INLINE double modulo(double x, double y) {
  while (x >= y) {
    int far = exponentOf(x) - exponentOf(y) - 28;
    double step = y * withExponent(1023 + (far > 0 ? far : 0));
    x -= __builtin_trunc(x / step) * step;
    x = x < 0.0 ? x + step : x; // where the quotient was rounded up to an integer
  }
  return x;
}

INLINE bool isDefined(float x, float y) { return absolute(x) < INFINITY && absolute(y) > 0.0f; }

// An argument for which the result is NaN must not make the loop endless.
INLINE double divisorOf(float x, float y) { return isDefined(x, y) ? (double)absolute(y) : INFINITY; }
INLINE double dividendOf(float x, float y) { return isDefined(x, y) ? (double)absolute(x) : 0.0; }

static float fmodFar(float x, float y) {
  float magnitude = (float)modulo(dividendOf(x, y), divisorOf(x, y));
  return isDefined(x, y) ? withSignOf(magnitude, x) : NAN;
}

__constant float kNearQuotient = 0x1p22f;

OVERLOADABLE float fmod(float x, float y) {
  float dividend = absolute(x), divisor = absolute(y), quotient = __builtin_truncf(dividend / divisor);
  float rest = __builtin_fmaf(-quotient, divisor, dividend);
  rest = withSignOf(rest < 0.0f ? rest + divisor : rest, x);
  if (!(quotient < kNearQuotient && divisor < INFINITY))
    rest = fmodFar(x, y);
  return rest;
}

// The quotient modulo 128 is the quotient of the remainder of a division by 128 y.
static float remquoFar(float x, float y, __private int *quotient) {
  double divisor = divisorOf(x, y), rest = modulo(dividendOf(x, y), divisor * 128.0);
  double q = __builtin_trunc(rest / divisor);
  rest -= q * divisor;
  q -= rest < 0.0 ? 1.0 : 0.0;
  rest += rest < 0.0 ? divisor : 0.0;
  bool is_infinite = divisor == INFINITY;
  q = is_infinite ? 0.0 : q;
  rest = is_infinite ? dividendOf(x, y) : rest;
  int bits = (int)q;
  double twice = rest + rest;
  bool up = twice > divisor || (twice == divisor && bits & 1);
  rest = up ? rest - divisor : rest;
  bits = (bits + up) & 127;
  *quotient = (as_int(x) ^ as_int(y)) < 0 ? -bits : bits;
  *quotient = isDefined(x, y) ? *quotient : 0;
  float result = rest == 0.0 ? withSignOf(0.0f, x) : (float)(as_int(x) < 0 ? -rest : rest);
  return isDefined(x, y) ? result : NAN;
}

OVERLOADABLE float remquo(float x, float y, __private int *quotient) {
  float dividend = absolute(x), divisor = absolute(y), q = __builtin_rintf(dividend / divisor);
  float rest = __builtin_fmaf(-q, divisor, dividend), rest_magnitude = absolute(rest);
  float step = rest_magnitude > divisor - rest_magnitude ? withSignOf(1.0f, rest) : 0.0f;
  rest -= step * divisor;
  bool is_near = q < kNearQuotient && divisor < INFINITY;
  int bits = (int)(is_near ? q + step : 0.0f) & 127;
  *quotient = (as_int(x) ^ as_int(y)) < 0 ? -bits : bits;
  float result = rest == 0.0f ? withSignOf(0.0f, x) : as_float(as_int(rest) ^ (as_int(x) & INT_MIN));
  if (!is_near)
    result = remquoFar(x, y, quotient);
  return result;
}

OVERLOADABLE float remainder(float x, float y) {
  int quotient;
  return remquo(x, y, &quotient);
}

VECTORS_OF_BINARY(fmod, float)
VECTORS_OF_BINARY(remainder, float)

#define VECTOR_REMQUO(n, h)                                                                                            \
  OVERLOADABLE float##n remquo(float##n x, float##n y, __private int##n *quotient) {                                   \
    int##h low_bits, high_bits;                                                                                        \
    float##h low = remquo(x.lo, y.lo, &low_bits), high = remquo(x.hi, y.hi, &high_bits);                               \
    *quotient = (int##n)(low_bits, high_bits);                                                                         \
    return (float##n)(low, high);                                                                                      \
  }
VECTOR_REMQUO(2, )
VECTOR_REMQUO(4, 2)
VECTOR_REMQUO(8, 4)
VECTOR_REMQUO(16, 8)
OVERLOADABLE float3 remquo(float3 x, float3 y, __private int3 *quotient) {
  int4 bits;
  float4 result = remquo((float4)(x, 0.0f), (float4)(y, 1.0f), &bits);
  *quotient = bits.xyz;
  return result.xyz;
}
