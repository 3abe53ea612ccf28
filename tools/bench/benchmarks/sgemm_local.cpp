// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrix multiplication through local memory with work-group barriers, 512 x 512 x 512.
#include "../benchmark.h"
#include "matrices.h"

namespace bench {

namespace {

constexpr size_t kSize = 512, kTile = 16;

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device)
      : device(device),
        kernel(device.build(ownKernels(), "sgemm_local.cl", "-DTILE=" + std::to_string(kTile)), "sgemm_local"),
        a(device.readOnly(matrices(kSize).a.data(), kBytes)), b(device.readOnly(matrices(kSize).b.data(), kBytes)),
        c(device.writeOnly(kBytes)) {
    kernel.setArg(0, a);
    kernel.setArg(1, b);
    kernel.setArg(2, c);
    kernel.setArg(3, cl_int(kSize));
    kernel.setArg(4, cl_int(kSize));
  }
  void run() override {
    device.launch(kernel, cl::NDRange(kSize, kSize), cl::NDRange(kTile, kTile));
    device.queue.finish();
  }
  void verify() override {
    device.read(c, result);
    matrices(kSize).verify(result, kSize);
  }

private:
  static constexpr size_t kBytes = kSize * kSize * sizeof(float);
  const Device &device;
  std::vector<float> result = std::vector<float>(kSize * kSize);
  cl::Kernel kernel;
  cl::Buffer a, b, c;
};

} // namespace

Benchmark sgemmLocal() {
  return {"sgemm-local",
          "512 x 512 x 512 through local memory, with barriers",
          1,
          2e-9 * kSize * kSize * kSize,
          "GFLOP",
          [](const Device &device) { return std::make_unique<OnDevice>(device); },
          {}};
}

} // namespace bench
