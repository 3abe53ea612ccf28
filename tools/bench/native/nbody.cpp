// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gravity between all pairs of bodies, for 16 bodies at a time.
#include "native.h"
#include "parallel.h"
#include "vector.h"

namespace bench::native {

namespace {

struct Axes {
  Float16 x, y, z;
};

// Returns the accelerations of 16 bodies by all bodies.
Axes accelerationsOf16(const Axes &me, const float *bodies, size_t count, float softening) {
  Axes sum{};
  for (const float *other = bodies; other != bodies + 4 * count; other += 4) {
    const Float16 dx = other[0] - me.x, dy = other[1] - me.y, dz = other[2] - me.z;
    const Float16 square = fma(dx, dx, fma(dy, dy, fma(dz, dz, Float16(softening))));
    const Float16 inverse = inverseSquareRoot(square);
    const Float16 force = other[3] * inverse * inverse * inverse;
    sum = {fma(force, dx, sum.x), fma(force, dy, sum.y), fma(force, dz, sum.z)};
  }
  return sum;
}

} // namespace

void accelerations(const float *bodies, float *result, size_t count, float softening) {
  inRanges(count, kLanes, [=](size_t first, size_t) {
    Axes me;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float *body = bodies + 4 * (first + lane);
      me.x[lane] = body[0], me.y[lane] = body[1], me.z[lane] = body[2];
    }
    const Axes sum = accelerationsOf16(me, bodies, count, softening);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      float *out = result + 4 * (first + lane);
      out[0] = sum.x[lane], out[1] = sum.y[lane], out[2] = sum.z[lane], out[3] = 0;
    }
  });
}

} // namespace bench::native
