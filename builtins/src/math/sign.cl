// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sign of float and double. It returns zeros as they are, and +0 for every NaN, whatever its sign.
#include "types.h"

#define SIGN(T)                                                                                                        \
  OVERLOADABLE T sign(T x) {                                                                                           \
    T one_or_zero = x != (T)0 ? copysign((T)1, x) : x;                                                                 \
    return x == x ? one_or_zero : (T)0;                                                                                \
  }
FOR_WIDTHS(SIGN, float)
FOR_WIDTHS(SIGN, double)
