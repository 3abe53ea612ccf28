// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// intel_sigmoid (cl_intel_sigmoid): 1 / (1 + e^-x) of float and half.
#include "float_math.h"
#include "half_types.h"

// By e^-|x|, because e^-x would be infinite where the result is a denormal number.
OVERLOADABLE float intel_sigmoid(float x) {
  float e = exp(-absolute(x));
  return (x < 0.0f ? e : 1.0f) * reciprocal(1.0f + e);
}

OVERLOADABLE half intel_sigmoid(half x) { return narrow(intel_sigmoid(widen(x))); }

VECTORS_OF_UNARY(intel_sigmoid)
UNARY_VECTORS(intel_sigmoid, half)
