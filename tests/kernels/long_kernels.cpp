// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels with very many barriers or cases, which are compiled differently from short ones.
#include "each_item.hpp"

#include <random>

using namespace lanecl::test;

namespace {

// Each work-item writes to local memory and reads what another one has written, `count` times.
std::string barriersText(unsigned count) {
  std::string text = "KERNEL void k(global const int *in, global int *out) {\n"
                     "  local uint shared[64]; uint l = get_local_linear_id(), size = get_local_size(0);\n"
                     "  uint x = in[get_global_linear_id()];\n";
  for (unsigned i = 0; i < count; ++i)
    text += "  shared[l] = x + " + std::to_string(i) + "u; barrier(CLK_LOCAL_MEM_FENCE); x ^= shared[(l + " +
            std::to_string(i * 7 % 61 + 1) + "u) % size] * 3u; barrier(CLK_LOCAL_MEM_FENCE);\n";
  return text + "  out[get_global_linear_id()] = x;\n}";
}

int exchange(unsigned count, const Item &item) {
  const size_t first = item.global - item.local;
  std::vector<uint32_t> x(item.in.begin() + first, item.in.begin() + first + item.local_size), shared(x.size());
  for (unsigned i = 0; i < count; ++i) {
    for (size_t l = 0; l < x.size(); ++l)
      shared[l] = x[l] + i;
    for (size_t l = 0; l < x.size(); ++l)
      x[l] ^= shared[(l + i * 7 % 61 + 1) % x.size()] * 3;
  }
  return static_cast<int>(x[item.local]);
}

TEST_CASE("many barriers in a row", "[long_kernels]") {
  for (const unsigned count : {10u, 60u, 140u})
    checkEachItem(barriersText(count), [&](const Item &item) { return exchange(count, item); });
}

struct Step {
  uint32_t state, factor, offset, bit, next[2];
};

constexpr unsigned kSteps = 40;

// Makes a machine whose states are either the first numbers or arbitrary ones.
std::vector<Step> randomMachine(unsigned count, bool dense, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Step> steps(count);
  for (unsigned i = 0; i < count; ++i) {
    Step &step = steps[i];
    step.state = dense ? i : static_cast<uint32_t>(random() & ~0xfffu) + i;
    step.factor = static_cast<uint32_t>(random()) | 1;
    step.offset = static_cast<uint32_t>(random() % 999);
    step.bit = static_cast<uint32_t>(random() % 31);
    for (uint32_t &next : step.next)
      next = static_cast<uint32_t>(random() % count);
  }
  return steps;
}

std::string machineText(const std::vector<Step> &steps) {
  const auto number = [](uint32_t value) { return std::to_string(value) + "u"; };
  std::string text = "KERNEL void k(global const int *in, global int *out) {\n"
                     "  uint x = in[get_global_linear_id()], y = 0, state = " +
                     number(steps[0].state) + ";\n  for (uint turn = 0; turn < " + number(kSteps) +
                     "; ++turn) switch (state) {\n";
  for (const Step &step : steps)
    text += "  case " + number(step.state) + ": x = x * " + number(step.factor) + " + y; y ^= " + number(step.offset) +
            "; state = x >> " + number(step.bit) + " & 1 ? " + number(steps[step.next[1]].state) + " : " +
            number(steps[step.next[0]].state) + "; break;\n";
  return text + "  default: x = 1; }\n  out[get_global_linear_id()] = x ^ y;\n}";
}

int runMachine(const std::vector<Step> &steps, const Item &item) {
  uint32_t x = static_cast<uint32_t>(item.x()), y = 0, at = 0;
  for (unsigned turn = 0; turn < kSteps; ++turn) {
    const Step &step = steps[at];
    x = x * step.factor + y;
    y ^= step.offset;
    at = step.next[x >> step.bit & 1];
  }
  return static_cast<int>(x ^ y);
}

TEST_CASE("switches with many cases in a loop", "[long_kernels]") {
  for (const bool dense : {false, true}) {
    const std::vector<Step> steps = randomMachine(250, dense, dense ? 1 : 2);
    checkEachItem(machineText(steps), [&](const Item &item) { return runMachine(steps, item); });
  }
}

} // namespace
