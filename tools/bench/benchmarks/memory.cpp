// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Benchmarks that memory limits.
#include "../benchmark.h"
#include "../data.h"
#include "../native/native.h"

namespace bench {

namespace {

// y = a x + y on 16 Mi floats: limited by memory bandwidth.
namespace saxpy {

constexpr size_t kCount = size_t(1) << 24;
constexpr float kA = 2;

// Each run adds to y. The numbers are small integers, so that the sums stay exact over many runs.
void verify(std::span<const float> y) {
  const float runs = (y[1] - 1) / kA;
  if (runs < 1 || runs != std::floor(runs))
    throw Mismatch("element 1 is " + std::to_string(y[1]));
  for (size_t i = 0; i < kCount; ++i)
    Plan::expectNear(i, y[i], float(i % 5) + runs * kA * float(i % 7), 0);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "saxpy",
      .description = "a x + y on 16 Mi floats",
      .amount = 3e-9 * sizeof(float) * kCount,
      .unit = "GB",
      .plan =
          [](Plan &plan) {
            const Array x = plan.input(generate(kCount, [](size_t i) { return float(i % 7); }));
            const Array y = plan.inout(generate(kCount, [](size_t i) { return float(i % 5); }));
            plan.program("saxpy.cl");
            plan.launch("saxpy", {kA, x, y}, {kCount}, {256});
            plan.check<float>(y, verify);
          },
      .native = reference(native::saxpy, kA, Array{0}, Array{1}, kCount),
  });
}

} // namespace saxpy

// z = a * x + y with a grid-stride loop. The number of elements is not a multiple of the grid, the work-group or the
// sub-group.
namespace grid_stride {

constexpr size_t kCount = (size_t(1) << 22) + 1001, kItems = size_t(1) << 16;
constexpr float kA = 1.5f;

void describe(Plan &plan) {
  const std::vector<float> left = randomFloats(kCount, -1, 1, 1), right = randomFloats(kCount, -1, 1, 2);
  const Array x = plan.input(left), y = plan.input(right), z = plan.output<float>(kCount);
  plan.program("grid_stride.cl");
  plan.launch("grid_stride", {kA, x, y, z, cl_ulong(kCount)}, {kItems}, {256});
  plan.expect(z, generate(kCount, [&](size_t i) { return std::fma(kA, left[i], right[i]); }));
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "grid-stride",
      .description = "a x + y on 4 Mi floats by 64 Ki work-items, each with a loop",
      .amount = 3e-9 * sizeof(float) * kCount,
      .unit = "GB",
      .plan = describe,
      .native = reference(native::multiplyAdd, kA, Array{0}, Array{1}, Array{2}, kCount),
  });
}

} // namespace grid_stride

// a * a + |b| for each element of 2048 x 1088, by work-groups of different shapes: elementwise.<shape>. column-major is
// the same computation when neighboring work-items access elements of one column, which are a row apart in memory.
namespace elementwise {

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

Benchmark withKernel(std::string name, std::string description, size_t width, std::function<void(Plan &)> plan) {
  return {
      .name = std::move(name),
      .description = std::move(description),
      .amount = 3e-9 * sizeof(float) * double(width * kHeight),
      .unit = "GB",
      .plan = std::move(plan),
      .native = reference(native::squareAddAbsolute, Array{0}, Array{1}, Array{2}, width * kHeight),
  };
}

void add(Benchmarks &all) {
  for (const auto [x, y] : {std::pair(256, 1), {16, 16}, {8, 8}, {1, 64}}) {
    const std::string shape = std::to_string(x) + "x" + std::to_string(y);
    const cl::NDRange local(x, y);
    all.push_back(withKernel("elementwise." + shape, "2048 x 1088 floats by work-groups of " + shape, kWidth,
                             [=](Plan &plan) { describe(plan, "elementwise", kWidth, kWidth, local); }));
  }
  all.push_back(withKernel("column-major", "512 x 1088 floats, neighbors one column apart", kFewColumns,
                           [](Plan &plan) { describe(plan, "by_columns", kFewColumns, kHeight, {64, 1}); }));
}

} // namespace elementwise

// An array of structs: 256 Ki particles of 8 floats.
namespace particles {

constexpr size_t kCount = size_t(1) << 18, kFloats = 8;
constexpr float kStep = 0.01f;

std::vector<float> moved(std::vector<float> particles) {
  for (float *p = particles.data(); p != particles.data() + particles.size(); p += kFloats) {
    p[5] = std::fma(-9.81f, kStep, p[5]);
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = std::fma(p[4 + axis], kStep, p[axis]);
    if (p[1] < 0) {
      p[1] = -p[1];
      p[5] *= -0.5f;
    }
    p[7] += kStep;
  }
  return particles;
}

void describe(Plan &plan) {
  const std::vector<float> particles = randomFloats(kCount * kFloats, -0.2f, 1);
  const Array before = plan.input(particles), after = plan.output<float>(kCount * kFloats);
  plan.program("particles.cl");
  plan.launch("move", {before, after, kStep}, {kCount}, {128});
  plan.expect(after, moved(particles));
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "particles-aos",
      .description = "256 Ki particles, an array of structs",
      .amount = 2e-9 * sizeof(float) * kFloats * kCount,
      .unit = "GB",
      .plan = describe,
      .native = reference(native::moveParticles, Array{0}, Array{1}, kCount, kStep),
  });
}

} // namespace particles

// The transpose of a matrix through local memory.
namespace transpose {

constexpr size_t kWidth = 2048, kHeight = 1024, kCount = kWidth * kHeight;

void describe(Plan &plan) {
  const std::vector<float> matrix = randomFloats(kCount);
  const Array in = plan.input(matrix), out = plan.output<float>(kCount);
  plan.program("transpose.cl");
  plan.launch("transpose", {in, out, cl_int(kWidth), cl_int(kHeight)}, {kWidth, kHeight}, {16, 16});
  plan.expect(out, generate(kCount, [&](size_t i) { return matrix[i % kHeight * kWidth + i / kHeight]; }));
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "transpose",
      .description = "2048 x 1024 floats through local memory",
      .amount = 2e-9 * sizeof(float) * kCount,
      .unit = "GB",
      .plan = describe,
      .native = reference(native::transpose, Array{0}, Array{1}, kWidth, kHeight),
  });
}

} // namespace transpose

// A stencil of 7 points on 192 x 128 x 128 cells.
namespace stencil {

constexpr size_t kWidth = 192, kHeight = 128, kDepth = 128, kCells = kWidth * kHeight * kDepth;
constexpr float kRate = 0.1f;

float after(const std::vector<float> &in, size_t i) {
  const size_t x = i % kWidth, y = i / kWidth % kHeight, z = i / kWidth / kHeight, plane = kWidth * kHeight;
  if (x == 0 || y == 0 || z == 0 || x == kWidth - 1 || y == kHeight - 1 || z == kDepth - 1)
    return in[i];
  const double around = double(in[i - 1]) + in[i + 1] + in[i - kWidth] + in[i + kWidth] + in[i - plane] + in[i + plane];
  return float(in[i] + kRate * (around - 6.0 * in[i]));
}

void describe(Plan &plan) {
  const std::vector<float> cells = randomFloats(kCells);
  const Array in = plan.input(cells), out = plan.output<float>(kCells);
  plan.program("stencil.cl");
  plan.launch("heat", {in, out, kRate}, {kWidth, kHeight, kDepth}, {64, 4, 1});
  plan.expect(out, generate(kCells, [&](size_t i) { return after(cells, i); }), 1e-6);
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "stencil-3d",
      .description = "7 points on 192 x 128 x 128 cells",
      .amount = 2e-9 * sizeof(float) * kCells,
      .unit = "GB",
      .plan = describe,
      .native = reference(native::heat, Array{0}, Array{1}, kWidth, kHeight, kDepth, kRate),
  });
}

} // namespace stencil

} // namespace

void addMemory(Benchmarks &all) {
  saxpy::add(all);
  grid_stride::add(all);
  elementwise::add(all);
  particles::add(all);
  transpose::add(all);
  stencil::add(all);
}

} // namespace bench
