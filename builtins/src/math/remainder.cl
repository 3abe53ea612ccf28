// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// fmod, remainder, remquo of float, in double, where every step is exact: a quotient of 29 bits times 24 bits of divisor.
// One step is enough unless the arguments' exponents differ by more.
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

OVERLOADABLE float fmod(float x, float y) {
  float magnitude = (float)modulo(dividendOf(x, y), divisorOf(x, y));
  return isDefined(x, y) ? withSignOf(magnitude, x) : NAN;
}

// The quotient modulo 128 is the quotient of the remainder of a division by 128 y.
OVERLOADABLE float remquo(float x, float y, __private int *quotient) {
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
