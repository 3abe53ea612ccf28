// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// a * a + |b| for each element of 2048 x 1088, by work-groups of different shapes: elementwise.<shape>. column-major is
// the same computation when neighboring work-items access elements of one column, which are a row apart in memory.
#include "../data.h"
#include "../native/native.h"
#include "../workload.h"

namespace bench {

namespace {

// fewer columns for column-major, because strided accesses are slow on every platform
constexpr size_t kWidth = 2048, kHeight = 1088, kFewColumns = 512;

void describe(Plan &plan, const char *kernel, size_t width, size_t pitch, const cl::NDRange &local) {
  const size_t count = width * kHeight;
  const std::vector<float> left = randomFloats(count, -1, 1, 1), right = randomFloats(count, -1, 1, 2);
  const Array a = plan.input(left), b = plan.input(right), out = plan.output<float>(count);
  plan.program("elementwise.cl");
  plan.launch(kernel, {a, b, out, cl_int(pitch)}, {width, kHeight}, local);
  plan.expect(out, generate(count, [&](size_t i) { return std::fma(left[i], left[i], std::abs(right[i])); }));
}

Benchmark elementwiseBenchmark(std::string name, std::string description, size_t count,
                               std::function<void(Plan &)> plan) {
  return benchmarkOf({
      .name = std::move(name),
      .description = std::move(description),
      .amount = 3e-9 * sizeof(float) * double(count),
      .unit = "GB",
      .plan = std::move(plan),
      .native =
          [=](HostArrays &arrays) {
            native::squareAddAbsolute(arrays.in<float>(0), arrays.in<float>(1), arrays.out<float>(2), count);
          },
  });
}

} // namespace

std::vector<Benchmark> elementwise() {
  std::vector<Benchmark> benchmarks;
  for (const auto [x, y] : {std::pair(256, 1), {16, 16}, {8, 8}, {1, 64}}) {
    const std::string shape = std::to_string(x) + "x" + std::to_string(y);
    const cl::NDRange local(x, y);
    benchmarks.push_back(
        elementwiseBenchmark("elementwise." + shape, "2048 x 1088 floats by work-groups of " + shape, kWidth * kHeight,
                             [=](Plan &plan) { describe(plan, "elementwise", kWidth, kWidth, local); }));
  }
  return benchmarks;
}

Benchmark columnMajor() {
  return elementwiseBenchmark("column-major", "512 x 1088 floats, neighbors one column apart", kFewColumns * kHeight,
                              [](Plan &plan) { describe(plan, "by_columns", kFewColumns, kHeight, {64, 1}); });
}

} // namespace bench
