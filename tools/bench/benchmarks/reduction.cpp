// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The sum of 16 Mi floats by sub-groups, in two passes.
#include "../native/native.h"
#include "chunks.h"

#include <cmath>
#include <numeric>

namespace bench {

namespace {

void verifySum(float sum) {
  static const double expected = std::accumulate(Chunks::values().begin(), Chunks::values().end(), 0.0);
  if (!(std::abs(sum - expected) <= Chunks::kTolerance * expected))
    throw Mismatch("the sum is " + std::to_string(sum) + " instead of " + std::to_string(expected));
}

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device)
      : chunks(device), over_values(chunks.program, "reduce"), over_sums(chunks.program, "reduce"),
        sum(device.writeOnly(sizeof(float))) {
    over_sums.setArg(0, chunks.sums);
    over_sums.setArg(1, cl_uint(Chunks::kChunks));
    over_sums.setArg(2, cl_uint(Chunks::kChunks));
    over_sums.setArg(3, sum);
  }
  void run() override {
    chunks.enqueueReduce(over_values);
    chunks.device.launch(over_sums, Chunks::kWidth, Chunks::kWidth);
    chunks.device.queue.finish();
  }
  void verify() override {
    std::vector<float> result(1);
    chunks.device.read(sum, result);
    verifySum(result.front());
  }

private:
  Chunks chunks;
  cl::Kernel over_values, over_sums;
  cl::Buffer sum;
};

class Native : public Case {
public:
  void run() override { sum = native::sum(Chunks::values().data(), Chunks::kCount); }
  void verify() override { verifySum(sum); }

private:
  float sum = 0;
};

} // namespace

Benchmark reduction() {
  return {"reduction",
          "sum of 16 Mi floats, the example's kernels",
          1,
          1e-9 * sizeof(float) * Chunks::kCount,
          "GB",
          [](const Device &device) { return std::make_unique<OnDevice>(device); },
          [] { return std::make_unique<Native>(); },
          kSubGroups};
}

} // namespace bench
