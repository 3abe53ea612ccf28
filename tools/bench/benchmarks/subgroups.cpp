// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures one sub-group function per work-item, at each width: subgroups.<function>.<width>.
#include "../benchmark.h"
#include "../data.h"
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
void verify(const Function &function, unsigned width, std::span<const uint32_t> got) {
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

void describe(Plan &plan, const Function &function, unsigned width) {
  const Array in = plan.input(input()), out = plan.output<uint32_t>(kItems);
  plan.program("subgroups.cl", "-DWIDTH=" + std::to_string(width));
  plan.launch(function.name, {in, out, kRounds}, {kItems}, {kLocal});
  plan.check<uint32_t>(out, [&function, width](std::span<const uint32_t> got) { verify(function, width, got); });
}

// The reference exists for the reduction only. It adds in the same order as the kernel.
Reference referenceOf(const Function &function, unsigned width) {
  if (function.name != std::string("reduce"))
    return {};
  return [width](HostArrays &arrays) {
    const auto *in = arrays.argument<const uint32_t *>(Array{0});
    auto *out = arrays.argument<uint32_t *>(Array{1});
    native::inRanges(kItems, 4 * kLocal, [&](size_t begin, size_t end) {
      native::repeatSubGroupSum(width, in + begin, out + begin, end - begin, kRounds);
    });
  };
}

} // namespace

void addSubGroups(Benchmarks &all) {
  for (const Function &function : kFunctions)
    for (unsigned width : {8, 16, 32})
      all.push_back({
          .name = std::string("subgroups.") + function.name + "." + std::to_string(width),
          .description = "a work-item's time in one call",
          .operations = double(kItems) * kRounds * valuesAt(width),
          .plan = [&function, width](Plan &plan) { describe(plan, function, width); },
          .native = referenceOf(function, width),
          .needs = kSubGroups,
      });
}

} // namespace bench
