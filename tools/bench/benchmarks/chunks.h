// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Divides 16 Mi floats into chunks, one for each sub-group, as the reduction and scan example does.
#pragma once

#include "../benchmark.h"

namespace bench {

struct Chunks {
  static constexpr size_t kCount = size_t(1) << 24, kChunk = 16 * 1024, kChunks = kCount / kChunk, kWidth = 16;

  explicit Chunks(const Device &device);
  void enqueueReduce(cl::Kernel &kernel) const; // sums each chunk into `sums`

  // A relative error: half an epsilon for each addition on the way of a value into a sum.
  static constexpr double kTolerance = (double(kChunk) / kWidth + kChunks + 16) * 0x1p-24;

  static const std::vector<float> &values(); // random values between 0 and 1, the same in every run
  const Device &device;
  cl::Program program;
  cl::Buffer input, sums;
};

} // namespace bench
