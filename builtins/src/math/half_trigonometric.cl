// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sin and cos of half, computed in float. No half is so large that its reduction needs pi in more than two parts.
#include "float_math.h"
#include "half_types.h"

// Returns sin(r) for r = x - n * pi with |r| <= pi/2 and a relative error of 2^-19, negated after an odd number of half
// turns. A zero keeps its sign, because it is only multiplied, and only -0 is added to it.
INLINE half sineWithout(float x, float n, int half_turns) {
  float r = __builtin_fmaf(n, -0x1.4442d2p-23f, __builtin_fmaf(n, -0x1.921fb4p+1f, x));
  float z = r * r;
  float p = -0x1.84cde6p-13f;
  p = p * z + 0x1.10708cp-7f;
  p = p * z - 0x1.55510ap-3f;
  return narrow(as_float(as_int(r * (z * p + 1.0f)) ^ half_turns << 31));
}

OVERLOADABLE half sin(half x) {
  Nearest n = nearestProduct(widen(x), M_1_PI_F);
  return sineWithout(widen(x), n.value, n.bits);
}

// cos(x) is the sine a quarter turn later: half turns are counted with an offset of one half.
OVERLOADABLE half cos(half x) {
  Nearest n = nearest(widen(x) * M_1_PI_F - 0.5f);
  return sineWithout(widen(x), n.value + 0.5f, n.bits + 1);
}

UNARY_VECTORS(sin, half)
UNARY_VECTORS(cos, half)
