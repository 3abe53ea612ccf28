// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// erf and erfc of float.
#include "power.h"

INLINE float erfSmall(float x) {
  float z = x * x;
  float p = 0x1.555caep-14f;
  p = p * z - 0x1.a7f69ep-11f;
  p = p * z + 0x1.54858ap-8f;
  p = p * z - 0x1.b807bp-6f;
  p = p * z + 0x1.ce2db8p-4f;
  p = p * z - 0x1.812742p-2f;
  p = p * z + 0x1.06eba8p-3f;
  return x * p + x;
}

// 1 - 2^q(x) for x in [0.95, 4], where q approximates the logarithm of erfc.
INLINE float erfLarge(float x) {
  x = limit(x, 0.0f, 4.0f);
  float q = 0x1.3e14ap-19f;
  q = q * x - 0x1.17590ap-14f;
  q = q * x + 0x1.c41364p-11f;
  q = q * x - 0x1.c261ecp-8f;
  q = q * x + 0x1.386248p-5f;
  q = q * x - 0x1.454c34p-3f;
  q = q * x - 0x1.d2b13ep-1f;
  q = q * x - 0x1.a16ea2p+0f;
  q = q * x + 0x1.e6e94ep-12f;
  Nearest n = nearest(q);
  return 1.0f - exp2Fraction(q - n.value) * as_float((n.bits + 127) << 23);
}

OVERLOADABLE float erf(float x) {
  float magnitude = absolute(x);
  return magnitude < 0.95f ? erfSmall(x) : withSignOf(erfLarge(magnitude), x);
}

// t * e^(-x^2 + P(t)) with t = 1 / (1 + |x| / 2); the exponent is computed in double.
OVERLOADABLE float erfc(float x) {
  double magnitude = limit(absolute(x), 0.0f, 10.3f);
  double t = 1.0 / (1.0 + 0.5 * magnitude);
  double p = -0x1.332dbb67d80f3p-4;
  p = p * t + 0x1.59a6f447bc157p-2;
  p = p * t - 0x1.8a305cc6eb6e9p-2;
  p = p * t - 0x1.19246401772d9p-1;
  p = p * t + 0x1.da2b0b465e07cp+0;
  p = p * t - 0x1.d54bcb363b1e7p+0;
  p = p * t + 0x1.a1adab7d2caaap-1;
  p = p * t - 0x1.b0aa36969b5bcp-2;
  p = p * t + 0x1.472bf74cf9a0bp-3;
  p = p * t + 0x1.74dd30786a50ap-2;
  p = p * t + 0x1.0039b50131e8fp+0;
  p = p * t - 0x1.43faa064cddd3p+0;
  double exponent = (p - magnitude * magnitude) * 0x1.71547652b82fep+0;
  float positive = exp2Double(exponent + log2Double((float)t) - ((float)t - t) / t * 0x1.71547652b82fep+0);
  float result = x < 0.0f ? 2.0f - positive : positive;
  return x == x ? result : x;
}

VECTORS_OF_UNARY(erf)
VECTORS_OF_UNARY(erfc)
