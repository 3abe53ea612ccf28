// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multiplies a matrix of 2048 x 4096 weights by a vector, as language models do: matvec.q4_0 has weights of 4 bits,
// matvec.q8_0 of 8.
#include "../data.h"
#include "../workload.h"

#include <cstring>

namespace bench {

namespace {

constexpr size_t kRows = 2048, kColumns = 4096, kBlocks = kRows * kColumns / 32, kRowsOfSubGroup = 4;

struct Layout {
  const char *name; // also the name of the kernel
  size_t bytes;     // bytes of a block of 32 weights, of which the first two are its scale
  int (*weight)(const uint8_t *bytes, size_t i);
};

constexpr Layout kLayouts[] = {
    {"q4_0", 18, [](const uint8_t *bytes, size_t i) { return (i < 16 ? bytes[i] & 15 : bytes[i - 16] >> 4) - 8; }},
    {"q8_0", 34, [](const uint8_t *bytes, size_t i) { return int(int8_t(bytes[i])); }},
};

std::vector<uint8_t> randomBlocks(const Layout &layout) {
  const std::vector<uint32_t> words = randomWords(kBlocks * layout.bytes / 4 + 1);
  std::vector<uint8_t> blocks(kBlocks * layout.bytes);
  std::memcpy(blocks.data(), words.data(), blocks.size());
  for (size_t i = 0; i < kBlocks; ++i) {
    const auto scale = _Float16(0.001f + 0.001f * float(words[i] % 64));
    std::memcpy(&blocks[i * layout.bytes], &scale, sizeof scale);
  }
  return blocks;
}

std::vector<float> product(const Layout &layout, const std::vector<uint8_t> &blocks, const std::vector<float> &x) {
  std::vector<double> sums(kRows);
  for (size_t block = 0; block < kBlocks; ++block) {
    const uint8_t *bytes = &blocks[block * layout.bytes];
    _Float16 scale;
    std::memcpy(&scale, bytes, sizeof scale);
    double sum = 0;
    for (size_t i = 0; i < 32; ++i)
      sum += double(layout.weight(bytes + sizeof scale, i)) * x[block * 32 % kColumns + i];
    sums[block * 32 / kColumns] += double(scale) * sum;
  }
  return {sums.begin(), sums.end()};
}

void describe(Plan &plan, const Layout &layout) {
  const std::vector<uint8_t> weights = randomBlocks(layout);
  const std::vector<float> vector = randomFloats(kColumns);
  const Array blocks = plan.input(weights), x = plan.input(vector), y = plan.output<float>(kRows);
  plan.program("quantized.cl");
  plan.launch(layout.name, {blocks, x, y, cl_int(kColumns)}, {kRows / kRowsOfSubGroup * 16}, {64});
  plan.expect(y, product(layout, weights, vector), 1e-4);
}

} // namespace

std::vector<Benchmark> quantized() {
  std::vector<Benchmark> benchmarks;
  for (const Layout &layout : kLayouts)
    benchmarks.push_back(benchmarkOf({
        .name = std::string("matvec.") + layout.name,
        .description = "2048 x 4096 quantized weights times a vector",
        .amount = 1e-9 * double(kBlocks * layout.bytes),
        .unit = "GB",
        .plan = [&layout](Plan &plan) { describe(plan, layout); },
        .needs = kSubGroups,
    }));
  return benchmarks;
}

} // namespace bench
