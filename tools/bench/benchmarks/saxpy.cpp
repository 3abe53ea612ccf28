// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// y = a * x + y on 16 Mi floats: limited by memory bandwidth.
#include "../benchmark.h"
#include "../native/native.h"

namespace bench {

namespace {

constexpr size_t kCount = size_t(1) << 24;
constexpr float kA = 2;

// Returns small integers, so that the sums stay exact over many runs.
float initialX(size_t i) {
  return float(i % 7);
}
float initialY(size_t i) {
  return float(i % 5);
}

struct Vectors {
  std::vector<float> x = std::vector<float>(kCount), y = std::vector<float>(kCount);
  size_t runs = 0;

  Vectors() {
    for (size_t i = 0; i < kCount; ++i) {
      x[i] = initialX(i);
      y[i] = initialY(i);
    }
  }
  void verify() const {
    for (size_t i = 0; i < kCount; ++i)
      if (y[i] != initialY(i) + float(runs) * kA * initialX(i))
        throw Mismatch("element " + std::to_string(i) + " is " + std::to_string(y[i]));
  }
};

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device)
      : device(device), kernel(device.build(ownKernels(), "saxpy.cl"), "saxpy"),
        x(device.readOnly(vectors.x.data(), kCount * sizeof(float))),
        y(device.readWrite(vectors.y.data(), kCount * sizeof(float))) {
    kernel.setArg(0, kA);
    kernel.setArg(1, x);
    kernel.setArg(2, y);
  }
  void run() override {
    device.launch(kernel, kCount, 256);
    device.queue.finish();
    ++vectors.runs;
  }
  void verify() override {
    device.read(y, vectors.y);
    vectors.verify();
  }

private:
  const Device &device;
  Vectors vectors;
  cl::Kernel kernel;
  cl::Buffer x, y;
};

class Native : public Case {
public:
  void run() override {
    native::saxpy(kA, vectors.x.data(), vectors.y.data(), kCount);
    ++vectors.runs;
  }
  void verify() override { vectors.verify(); }

private:
  Vectors vectors;
};

} // namespace

Benchmark saxpy() {
  return {"saxpy",
          "a x + y on 16 Mi floats",
          1,
          3e-9 * sizeof(float) * kCount,
          "GB",
          [](const Device &device) { return std::make_unique<OnDevice>(device); },
          [] { return std::make_unique<Native>(); }};
}

} // namespace bench
