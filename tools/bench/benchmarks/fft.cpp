// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 2048 Fourier transforms of 256 complex numbers, by sub-groups.
#include "../data.h"
#include "../workload.h"

#include <complex>
#include <numbers>

namespace bench {

namespace {

constexpr size_t kPoints = 256, kTransforms = 2048;
using Complex = std::complex<double>;

// The recursive transform of the textbooks, which splits its input into halves.
std::vector<Complex> fourier(const std::vector<Complex> &x) {
  if (x.size() == 1)
    return x;
  const size_t half = x.size() / 2;
  const std::vector<Complex> even = fourier(generate(half, [&](size_t i) { return x[2 * i]; }));
  const std::vector<Complex> odd = fourier(generate(half, [&](size_t i) { return x[2 * i + 1]; }));
  std::vector<Complex> result(x.size());
  for (size_t k = 0; k < half; ++k) {
    const Complex turned = std::polar(1.0, -std::numbers::pi * double(k) / double(half)) * odd[k];
    result[k] = even[k] + turned;
    result[k + half] = even[k] - turned;
  }
  return result;
}

void describe(Plan &plan) {
  const std::vector<float> numbers = randomFloats(2 * kPoints * kTransforms);
  std::vector<float> expected;
  for (size_t first = 0; first < numbers.size(); first += 2 * kPoints)
    for (const Complex &element : fourier(
             generate(kPoints, [&](size_t i) { return Complex(numbers[first + 2 * i], numbers[first + 2 * i + 1]); })))
      expected.insert(expected.end(), {float(element.real()), float(element.imag())});
  const Array in = plan.input(numbers), out = plan.output<float>(numbers.size());
  plan.program("fft.cl");
  plan.launch("fourier256", {in, out}, {kTransforms * 16}, {64});
  plan.expect(out, expected, 2e-5);
}

} // namespace

Benchmark fft() {
  return benchmarkOf({
      .name = "fft",
      .description = "2048 transforms of 256 complex numbers, in registers and by shuffles",
      .amount = 5e-9 * kPoints * 8 * kTransforms,
      .unit = "GFLOP",
      .plan = describe,
      .needs = {"cl_intel_required_subgroup_size", "cl_khr_subgroup_shuffle"},
  });
}

} // namespace bench
