// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// log, log2, log10 and log1p of float: x = m * 2^e, and a polynomial for log(m). For zero, infinity and negative
// numbers split() gives an exponent and a mantissa that make the results those of the specification.
#include "float_math.h"

// Returns log(1 + f) - f for f in [-1/4, 1/2]. The relative error of log(1 + f) is 2^-27. The polynomial has two
// halves, which the processor computes at the same time.
INLINE float logTail(float f) {
  float square = f * f;
  float odd = -0x1.714096p-5f;
  odd = odd * square - 0x1.0d9452p-3f;
  odd = odd * square - 0x1.54eedp-3f;
  odd = odd * square - 0x1.000044p-2f;
  float even = 0x1.aca42p-4f;
  even = even * square + 0x1.2885fcp-3f;
  even = even * square + 0x1.99696ep-3f;
  even = even * square + 0x1.5555a4p-2f;
  float p = (odd * f + even) * f - 0.5f;
  return square * p;
}

OVERLOADABLE float log(float x) {
  Split s = split(x);
  float f = s.mantissa - 1.0f;
  float tail = s.exponent * 0x1.0bfbe8p-15f + logTail(f);
  return s.exponent * 0x1.62ep-1f + (f + tail);
}

// log2(e) is 1 + 0.4427, so f itself is added without the rounding of a product.
OVERLOADABLE float log2(float x) {
  Split s = split(x);
  float f = s.mantissa - 1.0f, tail = logTail(f);
  float rest = f * 0x1.c551dap-2f + (tail * 0x1.c551dap-2f + tail);
  return s.exponent + (f + rest);
}

OVERLOADABLE float log10(float x) {
  Split s = split(x);
  float f = s.mantissa - 1.0f, tail = logTail(f);
  float low = s.exponent * 0x1.3509f8p-18f + (tail * 0x1.bcb7b2p-2f - f * 0x1.5b235ep-27f);
  return s.exponent * 0x1.344p-2f + (f * 0x1.bcb7b2p-2f + low);
}

// The rounding error of 1 + x is added to f. For large x it does not matter.
OVERLOADABLE float log1p(float x) {
  float sum = 1.0f + x;
  float lost = absolute(x) < 1.0f ? x - (sum - 1.0f) : 1.0f - (sum - x);
  Split s = split(sum);
  Nearest n = nearest(limit(-s.exponent, -60.0f, 60.0f));
  float f = s.mantissa - 1.0f + (absolute(x) < 0x1p60f ? lost : 0.0f) * powerOfTwo(n.bits);
  float tail = s.exponent * 0x1.0bfbe8p-15f + logTail(f);
  float result = s.exponent * 0x1.62ep-1f + (f + tail);
  return x == 0.0f ? x : result;
}

VECTORS_OF_UNARY(log)
VECTORS_OF_UNARY(log1p)
VECTORS_OF_UNARY(log2)
VECTORS_OF_UNARY(log10)
