// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 16 Mi floats in chunks, one a sub-group, as the reduction and scan example divides them.
#pragma once

#include "../benchmark.h"

namespace bench {

struct Chunks {
  static constexpr size_t kCount = size_t(1) << 24, kChunk = 16 * 1024, kChunks = kCount / kChunk, kWidth = 16;

  explicit Chunks(const Device &device);
  void enqueueReduce(cl::Kernel &kernel) const; // over all chunks, into `sums`

  // Relative error of at most half an epsilon for each addition on a value's way into a sum.
  static constexpr double kTolerance = (double(kChunk) / kWidth + kChunks + 16) * 0x1p-24;

  static const std::vector<float> &values(); // from 0 to 1
  const Device &device;
  cl::Program program;
  cl::Buffer input, sums;
};

} // namespace bench
