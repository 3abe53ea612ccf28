// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work on sub-devices of 1 to all threads of the device: scaling.threads.<kernel>.<threads>. One kernel needs hardly
// any memory, the other one little else.
#include "../data.h"
#include "../results.h"
#include "../workload.h"

namespace bench {

namespace {

constexpr size_t kStepItems = 1 << 20, kMemoryItems = 1 << 25;

// A sub-device with fewer threads, and a case that runs on it.
class OnPart : public Case {
public:
  OnPart(const Device &whole, unsigned threads, const Benchmark &benchmark)
      : part(partOf(whole, threads)), work(benchmark.on_device(part)) {}
  void run() override { work->run(); }
  void verify() override { work->verify(); }

private:
  static Device partOf(const Device &whole, unsigned threads) {
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, cl_device_partition_property(threads),
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    std::vector<cl::Device> parts;
    Device part = whole;
    part.device.createSubDevices(counts, &parts);
    part.device = parts.at(0);
    part.context = cl::Context(part.device);
    part.queue = cl::CommandQueue(part.context, part.device);
    return part;
  }

  Device part;
  std::unique_ptr<Case> work;
};

cl_uint afterSteps(cl_uint x) {
  for (int step = 0; step < 200; ++step)
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return x;
}

Benchmark arithmetic() {
  return benchmarkOf({.name = "arithmetic",
                      .description = "2^20 work-items of 200 steps",
                      .amount = 1e-9 * kStepItems,
                      .unit = "Gitem",
                      .plan = [](Plan &plan) {
                        const std::vector<uint32_t> in = randomWords(kStepItems);
                        const Array from = plan.input(in), to = plan.output<cl_uint>(kStepItems);
                        plan.program("scaling.cl");
                        plan.launch("steps", {from, to}, {kStepItems}, {256});
                        plan.expect(to, generate(kStepItems, [&](size_t i) { return afterSteps(in[i]); }));
                      }});
}

Benchmark memory() {
  return benchmarkOf({.name = "memory",
                      .description = "2^25 floats read and written",
                      .amount = 1e-9 * kMemoryItems,
                      .unit = "Gitem",
                      .plan = [](Plan &plan) {
                        const std::vector<float> in = randomFloats(kMemoryItems);
                        const Array from = plan.input(in), to = plan.output<float>(kMemoryItems);
                        plan.program("scaling.cl");
                        plan.launch("each", {from, to}, {kMemoryItems}, {256});
                        plan.expect(to, generate(kMemoryItems, [&](size_t i) { return 2 * in[i] + 1; }), 1e-6);
                      }});
}

Benchmark withThreads(unsigned threads, const Benchmark &work) {
  Benchmark benchmark = work;
  benchmark.name = "scaling.threads." + work.name + "." + std::to_string(threads);
  benchmark.description += " by " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  benchmark.needs = {kSubDeviceOf + std::to_string(threads)};
  benchmark.on_device = [=](const Device &device) { return std::make_unique<OnPart>(device, threads, work); };
  return benchmark;
}

// Returns the powers of two below the number of all threads, and that number.
std::vector<unsigned> threadCounts() {
  const unsigned all = thisMachine().cores;
  std::vector<unsigned> counts;
  for (unsigned threads = 1; threads < all; threads *= 2)
    counts.push_back(threads);
  counts.push_back(all);
  return counts;
}

} // namespace

std::vector<Benchmark> scalingThreads() {
  std::vector<Benchmark> benchmarks;
  for (const Benchmark &work : {arithmetic(), memory()})
    for (unsigned threads : threadCounts())
      benchmarks.push_back(withThreads(threads, work));
  return benchmarks;
}

} // namespace bench
