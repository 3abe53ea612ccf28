// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Benchmarks with kernels of neural networks, and a sparse matrix.
#include "../benchmark.h"
#include "../data.h"
#include "../native/native.h"

#include <algorithm>
#include <cstring>

namespace bench {

namespace {

// Multiplies a matrix of 2048 x 4096 weights by a vector, as language models do: matvec.q4_0 has weights of 4 bits,
// matvec.q8_0 of 8.
namespace quantized {

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

void add(Benchmarks &all) {
  for (const Layout &layout : kLayouts)
    all.push_back({
        .name = std::string("matvec.") + layout.name,
        .description = "2048 x 4096 quantized weights times a vector",
        .amount = 1e-9 * double(kBlocks * layout.bytes),
        .unit = "GB",
        .plan = [&layout](Plan &plan) { describe(plan, layout); },
        .needs = kSubGroups,
    });
}

} // namespace quantized

// Attention with an online softmax: 4 heads of 512 queries and keys of 32 elements.
namespace attention {

constexpr size_t kHeads = 4, kCount = 512, kDim = 32, kElements = kHeads * kCount * kDim;

// Computes the attention of one query to all keys of its head.
void attend(const float *query, const float *keys, const float *values, float *result) {
  std::vector<double> weights(kCount);
  for (size_t j = 0; j < kCount; ++j)
    for (size_t d = 0; d < kDim; ++d)
      weights[j] += double(query[d]) * keys[j * kDim + d];
  const double largest = *std::max_element(weights.begin(), weights.end());
  double total = 0;
  for (double &weight : weights)
    total += weight = std::exp((weight - largest) / std::sqrt(double(kDim)));
  for (size_t d = 0; d < kDim; ++d) {
    double sum = 0;
    for (size_t j = 0; j < kCount; ++j)
      sum += weights[j] * values[j * kDim + d];
    result[d] = float(sum / total);
  }
}

void describe(Plan &plan) {
  const std::vector<float> query = randomFloats(kElements, -4, 4, 1), key = randomFloats(kElements, -1, 1, 2),
                           value = randomFloats(kElements, -1, 1, 3);
  std::vector<float> expected(kElements);
  for (size_t i = 0; i < kElements; i += kDim) {
    const size_t head = i / (kCount * kDim) * (kCount * kDim);
    attend(&query[i], &key[head], &value[head], &expected[i]);
  }
  const Array queries = plan.input(query), keys = plan.input(key), values = plan.input(value);
  const Array result = plan.output<float>(kElements);
  plan.program("attention.cl");
  plan.launch("attention", {queries, keys, values, result, cl_int(kCount), 1 / std::sqrt(float(kDim))},
              {kCount, kHeads}, {64, 1});
  plan.expect(result, expected, 1e-5);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "attention",
      .description = "4 heads, 512 queries and keys of 32 elements, online softmax",
      .amount = 4e-9 * kHeads * kCount * kCount * kDim,
      .unit = "GFLOP",
      .plan = describe,
  });
}

} // namespace attention

// Softmax and RMS normalization of each row of a matrix.
namespace rows {

constexpr size_t kRows = 1024, kSoftmaxColumns = 1008, kNormColumns = 2048;
constexpr float kEpsilon = 1e-5f;

std::vector<float> softmaxOf(const std::vector<float> &values, size_t columns) {
  std::vector<float> result(values.size());
  for (size_t first = 0; first < values.size(); first += columns) {
    const double largest = *std::max_element(&values[first], &values[first] + columns);
    double sum = 0;
    for (size_t i = first; i < first + columns; ++i)
      sum += std::exp(values[i] - largest);
    for (size_t i = first; i < first + columns; ++i)
      result[i] = float(std::exp(values[i] - largest) / sum);
  }
  return result;
}

void describeSoftmax(Plan &plan) {
  const std::vector<float> values = randomFloats(kRows * kSoftmaxColumns, -8, 8);
  const Array in = plan.input(values), out = plan.output<float>(values.size());
  plan.program("rows.cl");
  plan.launch("softmax", {in, out, cl_int(kSoftmaxColumns)}, {kRows * 16}, {64});
  plan.expect(out, softmaxOf(values, kSoftmaxColumns), 1e-6);
}

std::vector<float> normalized(const std::vector<float> &values, const std::vector<float> &weights) {
  std::vector<float> result(values.size());
  for (size_t first = 0; first < values.size(); first += kNormColumns) {
    double squares = 0;
    for (size_t i = 0; i < kNormColumns; ++i)
      squares += double(values[first + i]) * values[first + i];
    const double root = std::sqrt(squares / kNormColumns + kEpsilon);
    for (size_t i = 0; i < kNormColumns; ++i)
      result[first + i] = float(values[first + i] / root * weights[i]);
  }
  return result;
}

void describeNorm(Plan &plan) {
  const std::vector<float> values = randomFloats(kRows * kNormColumns), weight = randomFloats(kNormColumns, 0, 2);
  const Array in = plan.input(values), weights = plan.input(weight), out = plan.output<float>(values.size());
  plan.program("rows.cl");
  plan.launch("rms_norm", {in, weights, out, cl_int(kNormColumns), kEpsilon}, {kRows * 256}, {256});
  plan.expect(out, normalized(values, weight), 1e-5);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "softmax",
      .description = "1024 rows of 1008 floats, a sub-group each",
      .amount = 1e-6 * kRows * kSoftmaxColumns,
      .unit = "Mvalue",
      .plan = describeSoftmax,
      .native = reference(native::softmax, Array{0}, Array{1}, kRows, kSoftmaxColumns),
      .needs = kSubGroups,
  });
  all.push_back({
      .name = "rms-norm",
      .description = "1024 rows of 2048 floats, a work-group each",
      .amount = 2e-9 * sizeof(float) * kRows * kNormColumns,
      .unit = "GB",
      .plan = describeNorm,
      .native = reference(native::rmsNorm, Array{0}, Array{1}, Array{2}, kRows, kNormColumns, kEpsilon),
      .needs = kSubGroups, // the program also contains the kernel with sub-groups
  });
}

} // namespace rows

// A sparse matrix of 32 Ki rows with 4 to 35 elements each, times a vector.
namespace spmv {

constexpr size_t kRows = size_t(1) << 15, kMeanLength = 20; // the lengths' mean is 19.5

std::vector<int> rowStarts() {
  const std::vector<uint32_t> words = randomWords(kRows, 1);
  std::vector<int> starts(kRows + 1);
  for (size_t row = 0; row < kRows; ++row)
    starts[row + 1] = starts[row] + 4 + int(words[row] % 32);
  return starts;
}

void describe(Plan &plan) {
  const std::vector<int> start = rowStarts();
  const auto count = size_t(start.back());
  const std::vector<uint32_t> words = randomWords(count, 2);
  const std::vector<int> column = generate(count, [&](size_t i) { return int(words[i] % kRows); });
  const std::vector<float> value = randomFloats(count), vector = randomFloats(kRows, -1, 1, 2);
  const Array starts = plan.input(start), columns = plan.input(column), values = plan.input(value);
  const Array x = plan.input(vector), y = plan.output<float>(kRows);
  plan.program("spmv.cl");
  plan.launch("spmv", {starts, columns, values, x, y}, {kRows}, {64});
  plan.expect(y,
              generate(kRows,
                       [&](size_t row) {
                         double sum = 0;
                         for (int i = start[row]; i < start[row + 1]; ++i)
                           sum += double(value[i]) * vector[column[i]];
                         return float(sum);
                       }),
              1e-5);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "spmv",
      .description = "a sparse matrix of 32 Ki rows of 4 to 35 elements times a vector",
      .amount = 2e-9 * kRows * kMeanLength,
      .unit = "GFLOP",
      .plan = describe,
      .native = reference(native::spmv, Array{0}, Array{1}, Array{2}, Array{3}, Array{4}, kRows),
  });
}

} // namespace spmv

} // namespace

void addNetworks(Benchmarks &all) {
  quantized::add(all);
  attention::add(all);
  rows::add(all);
  spmv::add(all);
}

} // namespace bench
