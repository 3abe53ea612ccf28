// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Moves an array of structures.
#include "native.h"
#include "parallel.h"

#include <cmath>

namespace bench::native {

void moveParticles(const Particle *before, Particle *after, size_t count, float dt) {
  inRanges(count, 4096, [=](size_t begin, size_t end) {
#pragma omp simd
    for (size_t i = begin; i < end; ++i) {
      Particle p = before[i];
      p.vy = std::fma(-9.81f, dt, p.vy);
      p.x = std::fma(p.vx, dt, p.x);
      p.y = std::fma(p.vy, dt, p.y);
      p.z = std::fma(p.vz, dt, p.z);
      p.vy = p.y < 0 ? p.vy * -0.5f : p.vy;
      p.y = p.y < 0 ? -p.y : p.y;
      p.age += dt;
      after[i] = p;
    }
  });
}

} // namespace bench::native
