// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// intel_sigmoid (cl_intel_sigmoid) of float and half: 1 / (1 + e^-x).
#include "float_math.h"
#include "half_types.h"

// The result is computed from e^-|x|, because e^-x would be infinite where the result is a denormal number.
OVERLOADABLE float intel_sigmoid(float x) {
  float e = exp(-absolute(x));
  return (x < 0.0f ? e : 1.0f) * reciprocal(1.0f + e);
}

OVERLOADABLE half intel_sigmoid(half x) { return narrow(intel_sigmoid(widen(x))); }

VECTORS_OF_UNARY(intel_sigmoid)
UNARY_VECTORS(intel_sigmoid, half)
