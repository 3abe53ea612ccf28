// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The input of the reduction and scan benchmarks, and the launch that sums its chunks.
#include "chunks.h"

#include <random>

namespace bench {

Chunks::Chunks(const Device &device)
    : device(device), program(device.build(exampleKernels("reduction_scan"), "reduction_scan.cl")),
      input(device.readOnly(values().data(), kCount * sizeof(float))),
      sums(device.context, CL_MEM_READ_WRITE, kChunks * sizeof(float)) {}

void Chunks::enqueueReduce(cl::Kernel &kernel) const {
  kernel.setArg(0, input);
  kernel.setArg(1, cl_uint(kCount));
  kernel.setArg(2, cl_uint(kChunk));
  kernel.setArg(3, sums);
  device.launch(kernel, kChunks * kWidth, kWidth);
}

const std::vector<float> &Chunks::values() {
  static const std::vector<float> values = [] {
    std::mt19937 random(1);
    std::vector<float> result(kCount);
    for (float &value : result)
      value = float(random() >> 8) * 0x1p-24f;
    return result;
  }();
  return values;
}

} // namespace bench
