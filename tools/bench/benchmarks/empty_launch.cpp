// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures the cost of a launch whose kernel does nothing: one work-item is enqueued and waited for.
#include "../benchmark.h"

namespace bench {

namespace {

constexpr size_t kLaunches = 100;

class OnDevice : public Case {
public:
  explicit OnDevice(const Device &device) : device(device), kernel(device.build(ownKernels(), "launch.cl"), "empty") {}
  void run() override {
    for (size_t i = 0; i < kLaunches; ++i) {
      device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, 1, 1, nullptr, &last);
      device.queue.finish();
    }
  }
  void verify() override {
    if (const cl_int status = last.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>(); status != CL_COMPLETE)
      throw Mismatch("a launch ended with status " + std::to_string(status));
  }

private:
  const Device &device;
  cl::Kernel kernel;
  cl::Event last;
};

} // namespace

Benchmark emptyLaunch() {
  return {"empty-launch",
          "an empty kernel of one work-item, enqueued and waited for",
          kLaunches,
          0,
          "",
          [](const Device &device) { return std::make_unique<OnDevice>(device); },
          {}};
}

} // namespace bench
