// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A thousand small launches, each of which works on the result of the one before. The host waits once, at the end.
#include "../benchmark.h"

#include <algorithm>

namespace bench {

namespace {

constexpr size_t kLaunches = 1000, kItems = 256, kLocal = 64;

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device)
      : device(device), kernel(device.build(ownKernels(), "launch.cl"), "increment"),
        buffer(device.readWrite(counters.data(), kItems * sizeof(cl_uint))) {
    kernel.setArg(0, buffer);
  }
  void run() override {
    for (size_t i = 0; i < kLaunches; ++i)
      device.launch(kernel, kItems, kLocal);
    device.queue.finish();
    ++runs;
  }
  void verify() override {
    device.read(buffer, counters);
    const auto wrong = [&](cl_uint counter) { return counter != runs * kLaunches; };
    if (const auto found = std::find_if(counters.begin(), counters.end(), wrong); found != counters.end())
      throw Mismatch("a counter is " + std::to_string(*found) + " instead of " + std::to_string(runs * kLaunches));
  }

private:
  const Device &device;
  std::vector<cl_uint> counters = std::vector<cl_uint>(kItems);
  size_t runs = 0;
  cl::Kernel kernel;
  cl::Buffer buffer;
};

} // namespace

Benchmark smallLaunches() {
  return {"small-launches",
          "a thousand dependent launches of 256 work-items",
          1,
          1e-3 * kLaunches,
          "klaunch",
          [](const Device &device) { return std::make_unique<OnDevice>(device); },
          {}};
}

} // namespace bench
