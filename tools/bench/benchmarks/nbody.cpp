// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The accelerations of 4096 bodies by gravity, each computed from all of them.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kCount = 4096;
constexpr float kSoftening = 0.01f;

// Returns x, y, z and the mass of each body. All masses together are about 1.
std::vector<float> randomBodies() {
  std::vector<float> bodies = randomFloats(4 * kCount);
  for (size_t i = 0; i < kCount; ++i)
    bodies[4 * i + 3] = (1 + bodies[4 * i + 3]) / kCount;
  return bodies;
}

std::vector<float> accelerationsOf(const std::vector<float> &bodies) {
  std::vector<float> result(4 * kCount);
  for (size_t i = 0; i < kCount; ++i) {
    double sum[3] = {};
    for (size_t j = 0; j < kCount; ++j) {
      double d[3], square = kSoftening;
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = double(bodies[4 * j + axis]) - bodies[4 * i + axis];
        square += d[axis] * d[axis];
      }
      const double force = bodies[4 * j + 3] / (square * std::sqrt(square));
      for (int axis = 0; axis < 3; ++axis)
        sum[axis] += force * d[axis];
    }
    std::copy(sum, sum + 3, &result[4 * i]);
  }
  return result;
}

void describe(Plan &plan) {
  const std::vector<float> all = randomBodies();
  const Array bodies = plan.input(all), result = plan.output<float>(4 * kCount);
  plan.program("nbody.cl");
  plan.launch("accelerations", {bodies, result, cl_int(kCount), kSoftening}, {kCount}, {256});
  plan.expect(result, accelerationsOf(all), 1e-5);
}

} // namespace

Benchmark nbody() {
  return benchmarkOf({
      .name = "n-body",
      .description = "accelerations of 4096 bodies, through local memory",
      .amount = 20e-9 * kCount * kCount,
      .unit = "GFLOP",
      .plan = describe,
      .native =
          [](HostArrays &arrays) {
            native::accelerations(arrays.in<float>(0), arrays.out<float>(1), kCount, kSoftening);
          },
  });
}

} // namespace bench
