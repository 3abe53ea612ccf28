// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One kernel over 1 to 2^28 bytes, each launch waited for: scaling.global.each.<items>.
#include "../benchmark.h"

#include <algorithm>

namespace bench {

namespace {

constexpr unsigned kSteps = 4, kMost = 28; // the exponent of two grows in steps of kSteps up to kMost
constexpr unsigned char kFlipped = 0x5a;

// A run with few items launches several times, because reading the clock takes time as well.
size_t launchesFor(size_t items) {
  return std::clamp<size_t>((size_t(1) << 20) / items, 1, 100);
}

unsigned char elementAt(size_t i) {
  return static_cast<unsigned char>(i * 7 + (i >> 8));
}

class OnDevice : public Case {
public:
  OnDevice(const Device &device, size_t items)
      : device(device), items(items), kernel(device.build(ownKernels(), "scaling.cl"), "each_byte"),
        in(device.context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, items), out(device.writeOnly(items)) {
    auto *bytes = static_cast<unsigned char *>(
        device.queue.enqueueMapBuffer(in, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, items));
    for (size_t i = 0; i < items; ++i)
      bytes[i] = elementAt(i);
    device.queue.enqueueUnmapMemObject(in, bytes);
    kernel.setArg(0, in);
    kernel.setArg(1, out);
  }

  void run() override {
    for (size_t launch = 0; launch < launchesFor(items); ++launch) {
      device.launch(kernel, items, cl::NullRange);
      device.queue.finish();
    }
  }

  void verify() override {
    const auto *bytes =
        static_cast<const unsigned char *>(device.queue.enqueueMapBuffer(out, CL_TRUE, CL_MAP_READ, 0, items));
    size_t wrong = 0;
    for (size_t i = 0; i < items; ++i)
      wrong += bytes[i] != (elementAt(i) ^ kFlipped);
    device.queue.enqueueUnmapMemObject(out, const_cast<unsigned char *>(bytes));
    if (wrong != 0)
      throw Mismatch(std::to_string(wrong) + " of " + std::to_string(items) + " bytes are wrong");
  }

private:
  const Device &device;
  const size_t items;
  cl::Kernel kernel;
  cl::Buffer in, out;
};

} // namespace

std::vector<Benchmark> scalingGlobal() {
  std::vector<Benchmark> benchmarks;
  for (unsigned exponent = 0; exponent <= kMost; exponent += kSteps) {
    const size_t items = size_t(1) << exponent;
    benchmarks.push_back({"scaling.global.each." + std::to_string(items),
                          "2^" + std::to_string(exponent) + " work-items of a byte, enqueued and waited for",
                          double(launchesFor(items)),
                          1e-9 * double(items),
                          "Gitem",
                          [=](const Device &device) { return std::make_unique<OnDevice>(device, items); },
                          {}});
  }
  return benchmarks;
}

} // namespace bench
