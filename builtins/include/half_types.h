// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Half precision is computed in single precision. Its 24 bits are enough for every half, for the square of a half, and
// for correctly rounded quotients of halves.
#pragma once

#include "types.h"

#define FOR_EACH_N(M) M() M(2) M(3) M(4) M(8) M(16)

#define DEFINE_WIDEN(n)                                                                                                \
  static inline OVERLOADABLE float##n widen(half##n x) { return __builtin_convertvector(x, float##n); }                       \
  static inline OVERLOADABLE half##n narrow(float##n x) { return __builtin_convertvector(x, half##n); }
static inline OVERLOADABLE float widen(half x) { return x; }
static inline OVERLOADABLE half narrow(float x) { return (half)x; }
DEFINE_WIDEN(2)
DEFINE_WIDEN(3)
DEFINE_WIDEN(4)
DEFINE_WIDEN(8)
DEFINE_WIDEN(16)
#undef DEFINE_WIDEN
