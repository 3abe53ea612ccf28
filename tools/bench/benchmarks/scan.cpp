// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The inclusive prefix sums of 16 Mi floats by sub-groups, in three passes.
#include "../native/native.h"
#include "chunks.h"

#include <cmath>

namespace bench {

namespace {

void verifyScan(const std::vector<float> &result) {
  double sum = 0;
  for (size_t i = 0; i < Chunks::kCount; ++i) {
    sum += Chunks::values()[i];
    if (!(std::abs(result[i] - sum) <= Chunks::kTolerance * sum))
      throw Mismatch("prefix sum " + std::to_string(i) + " is " + std::to_string(result[i]) + " instead of " +
                     std::to_string(sum));
  }
}

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device)
      : chunks(device), reduce(chunks.program, "reduce"), scan_sums(chunks.program, "scan_sums"),
        scan_chunks(chunks.program, "scan_chunks"), output(device.writeOnly(Chunks::kCount * sizeof(float))) {
    scan_sums.setArg(0, chunks.sums);
    scan_sums.setArg(1, cl_uint(Chunks::kChunks));
    scan_chunks.setArg(0, chunks.input);
    scan_chunks.setArg(1, cl_uint(Chunks::kCount));
    scan_chunks.setArg(2, cl_uint(Chunks::kChunk));
    scan_chunks.setArg(3, chunks.sums);
    scan_chunks.setArg(4, output);
  }
  void run() override {
    chunks.enqueueReduce(reduce);
    chunks.device.launch(scan_sums, Chunks::kWidth, Chunks::kWidth);
    chunks.device.launch(scan_chunks, Chunks::kChunks * Chunks::kWidth, Chunks::kWidth);
    chunks.device.queue.finish();
  }
  void verify() override {
    chunks.device.read(output, result);
    verifyScan(result);
  }

private:
  Chunks chunks;
  std::vector<float> result = std::vector<float>(Chunks::kCount);
  cl::Kernel reduce, scan_sums, scan_chunks;
  cl::Buffer output;
};

class Native : public Case {
public:
  void run() override { native::scan(Chunks::values().data(), result.data(), Chunks::kCount); }
  void verify() override { verifyScan(result); }

private:
  std::vector<float> result = std::vector<float>(Chunks::kCount);
};

} // namespace

Benchmark scan() {
  return {"scan",
          "prefix sums of 16 Mi floats, the example's kernels",
          1,
          3e-9 * sizeof(float) * Chunks::kCount,
          "GB",
          [](const Device &device) { return std::make_unique<OnDevice>(device); },
          [] { return std::make_unique<Native>(); },
          kSubGroups};
}

} // namespace bench
