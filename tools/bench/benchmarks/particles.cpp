// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An array of structs: 256 Ki particles of 8 floats.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 18, kFloats = 8;
constexpr float kStep = 0.01f;

std::vector<float> moved(std::vector<float> particles) {
  for (float *p = particles.data(); p != particles.data() + particles.size(); p += kFloats) {
    p[5] = std::fma(-9.81f, kStep, p[5]);
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = std::fma(p[4 + axis], kStep, p[axis]);
    if (p[1] < 0) {
      p[1] = -p[1];
      p[5] *= -0.5f;
    }
    p[7] += kStep;
  }
  return particles;
}

void describe(Plan &plan) {
  const std::vector<float> particles = randomFloats(kCount * kFloats, -0.2f, 1);
  const Array before = plan.input(particles), after = plan.output<float>(kCount * kFloats);
  plan.program("particles.cl");
  plan.launch("move", {before, after, kStep}, {kCount}, {128});
  plan.expect(after, moved(particles));
}

} // namespace

Benchmark particles() {
  return benchmarkOf({
      .name = "particles-aos",
      .description = "256 Ki particles, an array of structs",
      .amount = 2e-9 * sizeof(float) * kFloats * kCount,
      .unit = "GB",
      .plan = describe,
      .native =
          [](HostArrays &arrays) {
            native::moveParticles(arrays.in<native::Particle>(0), arrays.out<native::Particle>(1), kCount, kStep);
          },
  });
}

} // namespace bench
