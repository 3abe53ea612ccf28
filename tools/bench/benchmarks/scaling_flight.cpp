// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Many small independent kernels at once: scaling.flight.<queue>.<kernels>. 1 to 10000 kernels are enqueued and then
// all are waited for, with an in-order queue and with an out-of-order queue.
#include "../benchmark.h"

#include <algorithm>

namespace bench {

namespace {

constexpr size_t kMost = 10000, kItems = 64; // kItems: work-items of a kernel

class OnDevice : public Case {
public:
  OnDevice(const Device &device, size_t kernels, cl_command_queue_properties order)
      : device(device), kernels(kernels), counters(kernels * kItems), queue(device.context, device.device, order),
        kernel(device.build(ownKernels(), "launch.cl"), "increment"),
        buffer(device.readWrite(counters.data(), counters.size() * sizeof(cl_uint))) {
    kernel.setArg(0, buffer);
  }
  void run() override {
    for (size_t i = 0; i < kernels; ++i)
      queue.enqueueNDRangeKernel(kernel, cl::NDRange(i * kItems), cl::NDRange(kItems), cl::NDRange(kItems));
    queue.finish();
    ++runs;
  }
  void verify() override {
    device.read(buffer, counters);
    if (std::any_of(counters.begin(), counters.end(), [&](cl_uint counter) { return counter != runs; }))
      throw Mismatch("a kernel did not run as often as it was enqueued");
  }

private:
  const Device &device;
  const size_t kernels;
  std::vector<cl_uint> counters;
  size_t runs = 0;
  cl::CommandQueue queue;
  cl::Kernel kernel;
  cl::Buffer buffer;
};

Benchmark inFlight(size_t kernels, const std::string &name, cl_command_queue_properties order) {
  return {"scaling.flight." + name + "." + std::to_string(kernels),
          std::to_string(kernels) + " kernels of 64 work-items enqueued, then waited for",
          double(kernels),
          0,
          "",
          [=](const Device &device) { return std::make_unique<OnDevice>(device, kernels, order); },
          {}};
}

} // namespace

std::vector<Benchmark> scalingFlight() {
  std::vector<Benchmark> benchmarks;
  for (size_t kernels = 1; kernels <= kMost; kernels *= 10)
    benchmarks.push_back(inFlight(kernels, "in-order", 0));
  for (size_t kernels = 1; kernels <= kMost; kernels *= 10)
    benchmarks.push_back(inFlight(kernels, "out-of-order", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
  return benchmarks;
}

} // namespace bench
