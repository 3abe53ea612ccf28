// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// length, distance and normalize of float. They use the sum of squares if it neither overflows nor loses bits to
// underflow, which is one test. Otherwise the vector is first multiplied by a power of two. libclc has a branch each for
// small vectors, large ones, those with infinities and those of zeros; a program that normalizes hundreds of vectors
// took much longer to compile with all these branches.
#include "types.h"

// Whether a vector's sum of squares must be computed again, from the scaled vector. True for NaN.
static bool needsScale(float sum) { return !(sum >= 0x1p-100f && sum <= 0x1.fffffep127f); }

// Returns the power of two that scales a vector whose largest component has this absolute value, so that squares of its
// components neither overflow nor underflow. It is 2^-e for a number from 2^e to 2^(e + 1), limited to what has an
// inverse that is no denormal number.
static float scaleOf(float largest) {
  int exponent = as_int(largest) & 0x7f800000;
  return as_float(min(max(0x7f000000 - exponent, 0x00800000), 0x7e800000));
}
static float inverseOf(float scale) { return as_float(0x7f000000 - as_int(scale)); }

static OVERLOADABLE float larger(float x, float y) { return x > y ? x : y; }
static OVERLOADABLE float largest(float x) { return fabs(x); }
static OVERLOADABLE float largest(float2 v) { return larger(fabs(v.x), fabs(v.y)); }
static OVERLOADABLE float largest(float3 v) { return larger(largest(v.xy), fabs(v.z)); }
static OVERLOADABLE float largest(float4 v) { return larger(largest(v.xy), largest(v.zw)); }

// Returns the vector with 1 for each infinite component and zeros for the others, with their signs.
#define DIRECTIONS_OF_INFINITIES(n)                                                                                    \
  static OVERLOADABLE float##n infinitiesOf(float##n v) {                                                              \
    return select(0.0f * v, copysign((float##n)1.0f, v), fabs(v) == (float##n)INFINITY);                               \
  }
static OVERLOADABLE float infinitiesOf(float x) { return fabs(x) == INFINITY ? copysign(1.0f, x) : 0.0f * x; }
DIRECTIONS_OF_INFINITIES(2)
DIRECTIONS_OF_INFINITIES(3)
DIRECTIONS_OF_INFINITIES(4)

#define LENGTHS(n)                                                                                                     \
  OVERLOADABLE float length(float##n v) {                                                                              \
    float sum = dot(v, v), inverse = 1.0f;                                                                             \
    if (needsScale(sum)) {                                                                                             \
      float scale = scaleOf(largest(v));                                                                               \
      inverse = inverseOf(scale);                                                                                      \
      sum = dot(v * scale, v * scale);                                                                                 \
    }                                                                                                                  \
    return sqrt(sum) * inverse;                                                                                        \
  }                                                                                                                    \
  OVERLOADABLE float distance(float##n x, float##n y) { return length(x - y); }                                        \
  OVERLOADABLE float##n normalize(float##n v) {                                                                        \
    float sum = dot(v, v);                                                                                             \
    if (needsScale(sum)) {                                                                                             \
      float most = largest(v);                                                                                         \
      v = most == INFINITY ? infinitiesOf(v) : v * scaleOf(most);                                                      \
      sum = dot(v, v);                                                                                                 \
      sum = sum == 0.0f ? 1.0f : sum;                                                                                  \
    }                                                                                                                  \
    return v * (1.0f / sqrt(sum));                                                                                     \
  }
LENGTHS()
LENGTHS(2)
LENGTHS(3)
LENGTHS(4)
