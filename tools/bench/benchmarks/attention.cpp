// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Attention with an online softmax: 4 heads of 512 queries and keys of 32 elements.
#include "../data.h"
#include "../workload.h"

#include <algorithm>

namespace bench {

namespace {

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

} // namespace

Benchmark attention() {
  return benchmarkOf({
      .name = "attention",
      .description = "4 heads, 512 queries and keys of 32 elements, online softmax",
      .amount = 4e-9 * kHeads * kCount * kCount * kDim,
      .unit = "GFLOP",
      .plan = describe,
  });
}

} // namespace bench
