// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cbrt of float. Subtracting a third of the bits from a constant gives 1 / cbrt(x) to 5 bits. Newton's steps follow.
#include "float_math.h"

OVERLOADABLE float cbrt(float x) {
  float magnitude = absolute(x);
  bool is_denormal = magnitude < 0x1p-126f;
  float scaled = is_denormal ? magnitude * 0x1p24f : magnitude;
  float y = as_float(0x54a21d2a - (int)((float)as_int(scaled) * (1.0f / 3.0f)));
  float c = 1.0f - scaled * y * (y * y);
  float p = c * (14.0f / 81.0f) + 2.0f / 9.0f;
  p = p * c + 1.0f / 3.0f;
  y = y * c * p + y;
  float square = y * y, root = scaled * square;
  root = (scaled - root * root * root) * (square * (1.0f / 3.0f)) + root;
  root = is_denormal ? root * 0x1p-8f : root;
  return magnitude < INFINITY ? withSignOf(root, x) : x;
}

VECTORS_OF_UNARY(cbrt)
