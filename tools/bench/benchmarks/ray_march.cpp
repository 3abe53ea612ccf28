// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ray marching through a scene of spheres, 512 x 512 rays of up to 96 steps: a divergent loop with square roots.
#include "../data.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kSize = 512;
constexpr float kScale = 2.0f / kSize, kFar = 30;
constexpr int kSteps = 96;

float distanceToScene(float x, float y, float z) {
  const float row_x = x - 2.0f * std::floor(std::fma(x, 0.5f, 0.5f));
  const float row_z = z - 2.0f * std::floor(std::fma(z, 0.5f, 0.5f));
  return std::sqrt(std::fma(row_x, row_x, std::fma(y, y, row_z * row_z))) - 0.6f;
}

float depthOf(size_t column, size_t row) {
  const float u = std::fma(float(column), kScale, -1.0f), v = std::fma(float(row), kScale, -1.0f);
  const float length = 1.0f / std::sqrt(std::fma(u, u, std::fma(v, v, 1.0f)));
  const float dx = u * length, dy = v * length, dz = length;
  float t = 0;
  for (int step = 0; step < kSteps && t < kFar; ++step) {
    const float distance = distanceToScene(std::fma(dx, t, 0.3f), std::fma(dy, t, 1.5f), std::fma(dz, t, 0.2f));
    if (distance < 0.001f)
      break;
    t += distance;
  }
  return t;
}

// A device's square root may be less accurate than the host's, and a ray that grazes a sphere then misses it. One ray
// in a thousand may differ.
void verifyDepths(std::span<const float> expected, std::span<const float> depths) {
  size_t different = 0;
  for (size_t i = 0; i < depths.size(); ++i)
    different += !(std::abs(depths[i] - expected[i]) <= 0.01f);
  if (different > depths.size() / 1000)
    throw Mismatch(std::to_string(different) + " rays end elsewhere");
}

void describe(Plan &plan) {
  const Array depths = plan.output<float>(kSize * kSize);
  plan.program("ray_march.cl");
  plan.launch("march", {depths, kScale, kSteps, kFar}, {kSize, kSize}, {16, 8});
  plan.check<float>(depths, [expected = generate(kSize * kSize, [](size_t i) {
                               return depthOf(i % kSize, i / kSize);
                             })](std::span<const float> result) { verifyDepths(expected, result); });
}

} // namespace

Benchmark rayMarch() {
  return benchmarkOf({
      .name = "ray-march",
      .description = "512 x 512 rays through a scene of spheres",
      .amount = 1e-6 * kSize * kSize,
      .unit = "Mray",
      .plan = describe,
  });
}

} // namespace bench
