// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// shuffle and shuffle2 of vectors of half, by their bits as ushorts.
#include "types.h"

#define SHUFFLE(n, m)                                                                                                  \
  OVERLOADABLE half##n shuffle(half##m x, ushort##n mask) { return as_half##n(shuffle(as_ushort##m(x), mask)); }       \
  OVERLOADABLE half##n shuffle2(half##m x, half##m y, ushort##n mask) {                                                \
    return as_half##n(shuffle2(as_ushort##m(x), as_ushort##m(y), mask));                                               \
  }
#define SHUFFLES(n) SHUFFLE(n, 2) SHUFFLE(n, 4) SHUFFLE(n, 8) SHUFFLE(n, 16)
SHUFFLES(2)
SHUFFLES(4)
SHUFFLES(8)
SHUFFLES(16)
