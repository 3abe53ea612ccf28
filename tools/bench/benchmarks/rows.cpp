// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Softmax and RMS normalization of each row of a matrix.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

#include <algorithm>

namespace bench {

namespace {

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

} // namespace

Benchmark softmax() {
  return benchmarkOf({
      .name = "softmax",
      .description = "1024 rows of 1008 floats, a sub-group each",
      .amount = 1e-6 * kRows * kSoftmaxColumns,
      .unit = "Mvalue",
      .plan = describeSoftmax,
      .native =
          [](HostArrays &arrays) {
            native::softmax(arrays.in<float>(0), arrays.out<float>(1), kRows, kSoftmaxColumns);
          },
      .needs = kSubGroups,
  });
}

Benchmark rmsNorm() {
  return benchmarkOf({
      .name = "rms-norm",
      .description = "1024 rows of 2048 floats, a work-group each",
      .amount = 2e-9 * sizeof(float) * kRows * kNormColumns,
      .unit = "GB",
      .plan = describeNorm,
      .native =
          [](HostArrays &arrays) {
            native::rmsNorm(arrays.in<float>(0), arrays.in<float>(1), arrays.out<float>(2), kRows, kNormColumns,
                            kEpsilon);
          },
      .needs = kSubGroups, // the program also contains the kernel with sub-groups
  });
}

} // namespace bench
