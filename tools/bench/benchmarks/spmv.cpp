// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sparse matrix of 32 Ki rows with 4 to 35 elements each, times a vector.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

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

} // namespace

Benchmark spmv() {
  return benchmarkOf({
      .name = "spmv",
      .description = "a sparse matrix of 32 Ki rows of 4 to 35 elements times a vector",
      .amount = 2e-9 * kRows * kMeanLength,
      .unit = "GFLOP",
      .plan = describe,
      .native =
          [](HostArrays &arrays) {
            native::spmv(arrays.in<int>(0), arrays.in<int>(1), arrays.in<float>(2), arrays.in<float>(3),
                         arrays.out<float>(4), kRows);
          },
  });
}

} // namespace bench
