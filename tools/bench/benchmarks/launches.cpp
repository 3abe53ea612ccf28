// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a launch costs, alone and one of many, and how its time grows with its size.
#include "../benchmark.h"
#include "../data.h"
#include "../results.h"

#include <algorithm>

namespace bench {

namespace {

// Expects counters to which each run has added `added`. Nobody counts the runs, so all must be the same multiple of it.
void expectCounted(Plan &plan, Array counters, cl_uint added) {
  plan.check<cl_uint>(counters, [=](std::span<const cl_uint> got) {
    if (got[0] == 0 || got[0] % added != 0 ||
        std::any_of(got.begin(), got.end(), [&](cl_uint counter) { return counter != got[0]; }))
      throw Mismatch("a kernel did not run as often as it was enqueued");
  });
}

// The same million work-items in work-groups of 1 to 1024, without and with a barrier: scaling.local.<kernel>.<size>.
namespace local {

constexpr size_t kItems = 1 << 20, kLargest = 1024;

void each(Plan &plan, size_t items, size_t local) {
  const std::vector<float> in = randomFloats(items);
  const Array from = plan.input(in), to = plan.output<float>(items);
  plan.program("scaling.cl");
  plan.launch("each", {from, to}, {items}, {local});
  plan.expect(to, generate(items, [&](size_t i) { return 2 * in[i] + 1; }), 1e-6);
}

void reverse(Plan &plan, size_t items, size_t local) {
  const std::vector<float> in = randomFloats(items);
  const Array from = plan.input(in), to = plan.output<float>(items);
  plan.program("scaling.cl");
  plan.launch("reverse", {from, to, LocalBytes{local * sizeof(float)}}, {items}, {local});
  plan.expect(to, generate(items, [&](size_t i) { return in[i - i % local + local - 1 - i % local]; }));
}

void add(Benchmarks &all) {
  for (const bool has_barrier : {false, true})
    for (size_t local = 1; local <= kLargest; local *= 2)
      all.push_back({
          .name = std::string("scaling.local.") + (has_barrier ? "barrier." : "each.") + std::to_string(local),
          .description = "2^20 work-items in work-groups of " + std::to_string(local),
          .amount = 1e-9 * kItems,
          .unit = "Gitem",
          .plan = [=](Plan &plan) { has_barrier ? reverse(plan, kItems, local) : each(plan, kItems, local); },
      });
}

} // namespace local

// One kernel over 1 to 2^28 bytes, each launch waited for: scaling.global.each.<items>.
namespace global {

constexpr unsigned kSteps = 4, kMost = 28; // the exponent of two grows in steps of kSteps up to kMost

// A run with few items launches several times, because reading the clock takes time as well.
size_t launchesFor(size_t items) {
  return std::clamp<size_t>((size_t(1) << 20) / items, 1, 100);
}

void describe(Plan &plan, size_t items) {
  const auto element = [](size_t i) { return cl_uchar(i * 7 + (i >> 8)); };
  const Array in = plan.input(generate(items, element)), out = plan.output<cl_uchar>(items);
  plan.program("scaling.cl");
  auto &launch = plan.launch("each_byte", {in, out}, {items}, cl::NullRange);
  launch.times = launchesFor(items);
  launch.waits = true;
  plan.check<cl_uchar>(out, [=](std::span<const cl_uchar> got) {
    for (size_t i = 0; i < items; ++i)
      Plan::expectNear(i, got[i], element(i) ^ 0x5a, 0);
  });
}

void add(Benchmarks &all) {
  for (unsigned exponent = 0; exponent <= kMost; exponent += kSteps) {
    const size_t items = size_t(1) << exponent;
    all.push_back({
        .name = "scaling.global.each." + std::to_string(items),
        .description = "2^" + std::to_string(exponent) + " work-items of a byte, enqueued and waited for",
        .operations = double(launchesFor(items)),
        .amount = 1e-9 * double(items),
        .unit = "Gitem",
        .plan = [=](Plan &plan) { describe(plan, items); },
    });
  }
}

} // namespace global

// Many small independent kernels at once: scaling.flight.<queue>.<kernels>. 1 to 10000 kernels are enqueued and then
// all are waited for, with an in-order queue and with an out-of-order queue.
namespace flight {

constexpr size_t kMost = 10000, kItems = 64; // kItems: work-items of a kernel

void describe(Plan &plan, size_t kernels) {
  const Array counters = plan.inout(std::vector<cl_uint>(kernels * kItems));
  plan.program("launch.cl");
  auto &launch = plan.launch("increment", {counters}, {kItems}, {kItems});
  launch.times = kernels;
  launch.shifted = true;
  expectCounted(plan, counters, 1);
}

void add(Benchmarks &all) {
  for (const bool in_order : {true, false})
    for (size_t kernels = 1; kernels <= kMost; kernels *= 10)
      all.push_back({
          .name = std::string("scaling.flight.") + (in_order ? "in-order." : "out-of-order.") + std::to_string(kernels),
          .description = std::to_string(kernels) + " kernels of 64 work-items enqueued, then waited for",
          .operations = double(kernels),
          .plan = [=](Plan &plan) { describe(plan, kernels); },
          .on_device =
              [=](Device device, const PlanPointer &plan) {
                const cl_command_queue_properties order = in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
                device.queue = cl::CommandQueue(device.context, device.device, order);
                return std::make_unique<OnDevice>(device, plan);
              },
      });
}

} // namespace flight

// Work on sub-devices of 1 to all threads of the device: scaling.threads.<kernel>.<threads>. One kernel needs hardly
// any memory, the other one little else.
namespace threads {

constexpr size_t kStepItems = 1 << 20, kMemoryItems = 1 << 25;

Device partOf(Device device, unsigned threads) {
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, cl_device_partition_property(threads),
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  std::vector<cl::Device> parts;
  device.device.createSubDevices(counts, &parts);
  device.device = parts.at(0);
  device.context = cl::Context(device.device);
  device.queue = cl::CommandQueue(device.context, device.device);
  return device;
}

cl_uint afterSteps(cl_uint x) {
  for (int step = 0; step < 200; ++step)
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return x;
}

void arithmetic(Plan &plan) {
  const std::vector<uint32_t> in = randomWords(kStepItems);
  const Array from = plan.input(in), to = plan.output<cl_uint>(kStepItems);
  plan.program("scaling.cl");
  plan.launch("steps", {from, to}, {kStepItems}, {256});
  plan.expect(to, generate(kStepItems, [&](size_t i) { return afterSteps(in[i]); }));
}

Benchmark withThreads(unsigned threads, bool in_memory) {
  return {
      .name = std::string("scaling.threads.") + (in_memory ? "memory." : "arithmetic.") + std::to_string(threads),
      .description = (in_memory ? "2^25 floats read and written by " : "2^20 work-items of 200 steps by ") +
                     std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
      .amount = 1e-9 * double(in_memory ? kMemoryItems : kStepItems),
      .unit = "Gitem",
      .plan = [=](Plan &plan) { in_memory ? local::each(plan, kMemoryItems, 256) : arithmetic(plan); },
      .needs = {kSubDeviceOf + std::to_string(threads)},
      .on_device = [=](const Device &device,
                       const PlanPointer &plan) { return std::make_unique<OnDevice>(partOf(device, threads), plan); },
  };
}

// The numbers of threads are the powers of two below that of all threads, and that number.
void add(Benchmarks &all) {
  const unsigned most = thisMachine().cores;
  for (const bool in_memory : {false, true}) {
    for (unsigned threads = 1; threads < most; threads *= 2)
      all.push_back(withThreads(threads, in_memory));
    all.push_back(withThreads(most, in_memory));
  }
}

} // namespace threads

} // namespace

// Adds an empty kernel of one work-item, which is enqueued and waited for; and a thousand small launches, each of which
// works on the result of the one before, with one wait at the end.
void addLaunches(Benchmarks &all) {
  constexpr size_t kEmpty = 100, kLaunches = 1000;
  all.push_back({
      .name = "empty-launch",
      .description = "an empty kernel of one work-item, enqueued and waited for",
      .operations = kEmpty,
      .plan =
          [](Plan &plan) {
            plan.program("launch.cl");
            auto &launch = plan.launch("empty", {}, {1}, {1});
            launch.times = kEmpty;
            launch.waits = true;
          },
  });
  all.push_back({
      .name = "small-launches",
      .description = "a thousand dependent launches of 256 work-items",
      .amount = 1e-3 * kLaunches,
      .unit = "klaunch",
      .plan =
          [](Plan &plan) {
            const Array counters = plan.inout(std::vector<cl_uint>(256));
            plan.program("launch.cl");
            plan.launch("increment", {counters}, {256}, {64}).times = kLaunches;
            expectCounted(plan, counters, kLaunches);
          },
  });
}

void addScaling(Benchmarks &all) {
  local::add(all);
  global::add(all);
  flight::add(all);
  threads::add(all);
}

} // namespace bench
