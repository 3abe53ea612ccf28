// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures one sub-group function per work-item, at each width: subgroups.<function>.<width>.
#include "../benchmark.h"
#include "../native/native.h"
#include "../native/parallel.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace bench {

namespace {

constexpr size_t kItems = 64 * 1024, kLocal = 256;
constexpr cl_uint kRounds = 128;

// Returns how many independent values a work-item has, as in the kernel: enough for 64 lanes.
constexpr unsigned valuesAt(unsigned width) {
  return 64 / width;
}

using Lanes = std::vector<uint32_t>; // a value of each lane of one sub-group

std::vector<uint32_t> input() {
  std::vector<uint32_t> values(kItems);
  for (size_t i = 0; i < kItems; ++i)
    values[i] = uint32_t(i) * 2654435761u >> 3;
  return values;
}

struct Function {
  const char *name;
  uint32_t (*result)(const Lanes &x, size_t lane, uint32_t step, const std::vector<uint32_t> &in);
};
constexpr Function kFunctions[] = {
    {"block_read", [](const Lanes &x, size_t lane, uint32_t step,
                      const std::vector<uint32_t> &in) { return in[(step & 15) * x.size() + lane]; }},
    {"shuffle_constant", [](const Lanes &x, size_t lane, uint32_t, auto &) { return x[lane ^ 1]; }},
    {"shuffle_varying", [](const Lanes &x, size_t lane, uint32_t, auto &) { return x[x[lane] & (x.size() - 1)]; }},
    {"broadcast", [](const Lanes &x, size_t, uint32_t step, auto &) { return x[step & (x.size() - 1)]; }},
    {"reduce", [](const Lanes &x, size_t, uint32_t, auto &) { return std::accumulate(x.begin(), x.end(), 0u); }},
    {"scan", [](const Lanes &x, size_t lane, uint32_t,
                auto &) { return std::accumulate(x.begin(), x.begin() + long(lane) + 1, 0u); }},
    {"ballot", [](const Lanes &x, size_t, uint32_t, auto &) {
       uint32_t bits = 0;
       for (size_t lane = 0; lane < x.size(); ++lane)
         bits |= uint32_t((x[lane] & 64) != 0) << lane;
       return bits;
     }}};

Lanes afterAllRounds(const Function &function, Lanes x, uint32_t value, const std::vector<uint32_t> &in) {
  for (uint32_t round = 0; round < kRounds; ++round) {
    const Lanes before = x;
    for (size_t lane = 0; lane < x.size(); ++lane)
      x[lane] = 5 * before[lane] + function.result(before, lane, round + value, in);
  }
  return x;
}

// Checks some of the sub-groups only, since all do the same work.
void verifyResults(const Function &function, unsigned width, const std::vector<uint32_t> &got) {
  const std::vector<uint32_t> in = input();
  for (size_t first = 0; first < kItems; first += 64 * kLocal) {
    Lanes expected(width);
    for (uint32_t value = 0; value < valuesAt(width); ++value) {
      Lanes x(in.begin() + long(first), in.begin() + long(first + width));
      for (uint32_t &lane : x)
        lane += value;
      x = afterAllRounds(function, x, value, in);
      std::transform(x.begin(), x.end(), expected.begin(), expected.begin(), std::bit_xor());
    }
    if (!std::equal(expected.begin(), expected.end(), got.begin() + long(first)))
      throw Mismatch("the sub-group of work-item " + std::to_string(first) + " is wrong");
  }
}

class OnDevice : public Case {
public:
  OnDevice(const Device &device, const Function &function, unsigned width)
      : device(device), function(function), width(width),
        kernel(device.build(ownKernels(), "subgroups.cl", "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width)),
               function.name),
        in(device.readOnly(input().data(), kItems * sizeof(uint32_t))),
        out(device.writeOnly(kItems * sizeof(uint32_t))) {
    kernel.setArg(0, in);
    kernel.setArg(1, out);
    kernel.setArg(2, kRounds);
  }
  void run() override {
    device.launch(kernel, kItems, kLocal);
    device.queue.finish();
  }
  void verify() override {
    std::vector<uint32_t> result(kItems);
    device.read(out, result);
    verifyResults(function, width, result);
  }

private:
  const Device &device;
  const Function &function;
  unsigned width;
  cl::Kernel kernel;
  cl::Buffer in, out;
};

// The reference in C++, which exists for the reduction only. It adds in the same order as the kernel.
class Native : public Case {
public:
  Native(const Function &function, unsigned width) : function(function), width(width) {}
  void run() override {
    native::inRanges(kItems, 4 * kLocal, [&](size_t begin, size_t end) {
      native::repeatSubGroupSum(width, &in[begin], &out[begin], end - begin, kRounds);
    });
  }
  void verify() override { verifyResults(function, width, out); }

private:
  const Function &function;
  unsigned width;
  std::vector<uint32_t> in = input(), out = std::vector<uint32_t>(kItems);
};

Benchmark benchmarkOf(const Function &function, unsigned width) {
  Benchmark benchmark{
      std::string("subgroups.") + function.name + "." + std::to_string(width),
      "a work-item's time in one call",
      double(kItems) * kRounds * valuesAt(width),
      0,
      "",
      [&function, width](const Device &device) { return std::make_unique<OnDevice>(device, function, width); },
      {},
      kSubGroups};
  if (function.name == std::string("reduce"))
    benchmark.native = [&function, width] { return std::make_unique<Native>(function, width); };
  return benchmark;
}

} // namespace

std::vector<Benchmark> subgroups() {
  std::vector<Benchmark> benchmarks;
  for (const Function &function : kFunctions)
    for (unsigned width : {8, 16, 32})
      benchmarks.push_back(benchmarkOf(function, width));
  return benchmarks;
}

} // namespace bench
