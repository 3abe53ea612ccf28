// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multiplications of matrices: in single precision by sub-groups and through local memory, in half precision, and of
// bfloat16 and 8-bit integers.
#include "../benchmark.h"
#include "../data.h"
#include "../native/native.h"

#include <algorithm>
#include <bit>
#include <chrono>

namespace bench {

namespace {

// Returns the product of square matrices, summed in another type.
template <typename Sum, typename Element>
std::vector<Sum> product(const std::vector<Element> &a, const std::vector<Element> &b, size_t size) {
  std::vector<Sum> result(size * size);
  for (size_t row = 0; row < size; ++row)
    for (size_t k = 0; k < size; ++k)
      for (size_t column = 0; column < size; ++column)
        result[row * size + column] += Sum(a[row * size + k]) * Sum(b[k * size + column]);
  return result;
}

// Copies rows of `size` elements to `rows` rows that are `pitch` elements apart. The elements in between are zeros.
template <typename T> std::vector<T> withPitch(const std::vector<T> &matrix, size_t size, size_t rows, size_t pitch) {
  std::vector<T> result(rows * pitch);
  for (size_t i = 0; i < matrix.size(); ++i)
    result[i / size * pitch + i % size] = matrix[i];
  return result;
}

// The tile of the product that a sub-group computes, in units of the kernel.
struct Tile {
  size_t rows, columns;
  std::string options() const {
    return "-DTILE_ROWS=" + std::to_string(rows) + " -DTILE_COLUMNS=" + std::to_string(columns);
  }
};

// Matrices of floats and their product. Elements lie between -1 and 1.
struct Floats {
  explicit Floats(size_t size)
      : size(size), a(randomFloats(size * size, -1, 1, 1)), b(randomFloats(size * size, -1, 1, 2)),
        c(product<double>(a, b, size)) {}

  // Expects rows that are `pitch` elements apart. The tolerance is size * epsilon: rounding errors of the partial sums
  // have both signs and stay far below it; a missing product causes a larger error.
  void expect(Plan &plan, Array array, size_t pitch) const {
    plan.check<float>(array, [*this, pitch](std::span<const float> got) {
      for (size_t i = 0; i < c.size(); ++i)
        Plan::expectNear(i, got[i / size * pitch + i % size], c[i], double(size) * 0x1p-23);
    });
  }

  size_t size;
  std::vector<float> a, b;
  std::vector<double> c;
};

// The example's matrix multiplication by sub-groups, 1024 x 1024 x 1024.
namespace sgemm {

constexpr size_t kSize = 1024, kWidth = 16, kPitch = kSize + kWidth;

// The tiles that the example keeps in registers, in rows and in blocks of 16 columns.
constexpr Tile kTiles[] = {{6, 4}, {5, 1}};

const Floats &matrices() {
  static const Floats made(kSize);
  return made;
}

// For the reference in C++. Devices have padded rows.
void describe(Plan &plan) {
  plan.input(matrices().a);
  plan.input(matrices().b);
  matrices().expect(plan, plan.output<float>(kSize * kSize), kSize);
}

// Multiplies the matrices as the example's host program does, with padded rows.
PlanPointer withTile(const Tile &tile) {
  const auto plan = std::make_shared<Plan>();
  const size_t bands = (kSize + tile.rows - 1) / tile.rows;
  const Array a = plan->input(withPitch(matrices().a, kSize, bands * tile.rows, kPitch)),
              b = plan->input(withPitch(matrices().b, kSize, kSize, kPitch)),
              c = plan->output<float>(bands * tile.rows * kPitch);
  plan->program("sgemm/sgemm.cl", tile.options());
  plan->launch("sgemm", {a, b, c, cl_int(kSize), cl_int(kPitch), cl_int(kPitch), cl_int(kPitch)},
               {kWidth * bands, kSize / (kWidth * tile.columns)}, {kWidth, 1});
  matrices().expect(*plan, c, kPitch);
  return plan;
}

std::chrono::duration<double> fastestOfThree(Case &work) {
  work.run(); // compiles the kernel
  auto fastest = std::chrono::duration<double>::max();
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work.run();
    fastest = std::min<std::chrono::duration<double>>(fastest, std::chrono::steady_clock::now() - start);
  }
  return fastest;
}

// Returns the work with the tile that is fastest on the device.
std::unique_ptr<Case> withBestTile(const Device &device) {
  std::unique_ptr<Case> best;
  auto shortest = std::chrono::duration<double>::max();
  for (const Tile &tile : kTiles) {
    auto candidate = std::make_unique<OnDevice>(device, withTile(tile));
    if (const auto time = fastestOfThree(*candidate); time < shortest) {
      shortest = time;
      best = std::move(candidate);
    }
  }
  return best;
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "sgemm",
      .description = "1024 x 1024 x 1024 by sub-groups, the example's kernel",
      .amount = 2e-9 * kSize * kSize * kSize,
      .unit = "GFLOP",
      .plan = describe,
      .native = reference(native::sgemm, Array{0}, Array{1}, Array{2}, kSize, kSize, kSize),
      .needs = kSubGroups,
      .on_device = [](const Device &device, const PlanPointer &) { return withBestTile(device); },
  });
}

} // namespace sgemm

// Matrix multiplication through local memory with work-group barriers, 512 x 512 x 512, at three tile sizes.
namespace sgemm_local {

constexpr size_t kSize = 512;

void describe(Plan &plan, size_t tile) {
  const Floats matrices(kSize);
  const Array a = plan.input(matrices.a), b = plan.input(matrices.b), c = plan.output<float>(kSize * kSize);
  plan.program("sgemm_local.cl", "-DTILE=" + std::to_string(tile));
  plan.launch("sgemm_local", {a, b, c, cl_int(kSize), cl_int(kSize)}, {kSize, kSize}, {tile, tile});
  matrices.expect(plan, c, kSize);
}

void add(Benchmarks &all) {
  for (const size_t tile : {8, 16, 32})
    all.push_back({
        .name = "sgemm-local." + std::to_string(tile),
        .description = "512 x 512 x 512 through local memory, with barriers",
        .amount = 2e-9 * kSize * kSize * kSize,
        .unit = "GFLOP",
        .plan = [=](Plan &plan) { describe(plan, tile); },
        .native = reference(native::sgemmTiled, Array{0}, Array{1}, Array{2}, kSize),
    });
}

} // namespace sgemm_local

// Matrix multiplication in half precision, 256 x 256 x 256. The elements are small integers, so that all sums are
// exact.
namespace hgemm {

constexpr size_t kSize = 256, kRowsOfSubGroup = 8, kColumnsOfSubGroup = 32;

std::vector<_Float16> smallIntegers(unsigned seed) {
  const std::vector<uint32_t> words = randomWords(kSize * kSize, seed);
  return generate(words.size(), [&](size_t i) { return _Float16(int(words[i] % 5) - 2); });
}

void describe(Plan &plan) {
  const std::vector<_Float16> left = smallIntegers(1), right = smallIntegers(2);
  const std::vector<float> sums = product<float>(left, right, kSize);
  const Array a = plan.input(left), b = plan.input(right), c = plan.output<_Float16>(kSize * kSize);
  plan.program("hgemm.cl");
  plan.launch("hgemm", {a, b, c, cl_int(kSize)}, {kSize / kColumnsOfSubGroup * 16, kSize / kRowsOfSubGroup}, {16, 1});
  plan.expect(c, std::vector<_Float16>(sums.begin(), sums.end()));
}

void add(Benchmarks &all) {
  all.push_back({
      .name = "hgemm",
      .description = "256 x 256 x 256 in half precision by sub-groups",
      .amount = 2e-9 * kSize * kSize * kSize,
      .unit = "GFLOP",
      .plan = describe,
      .needs = {"cl_khr_fp16", "cl_intel_subgroups_short", "cl_intel_required_subgroup_size"},
  });
}

} // namespace hgemm

// Multiplies matrices of bfloat16 and of 8-bit integers, 1024 x 1024 x 1024: by the sub-group functions for matrix
// multiply-accumulate, and by ordinary arithmetic. All elements are small integers, so the product is exact in both
// types.
namespace matrix_mad {

constexpr size_t kSize = 1024, kWidth = 16, kRows = 8;
constexpr size_t kPitch = kSize + 2 * kWidth; // with padding, so that not all rows start in the same sets of the caches

std::vector<int8_t> smallIntegers(unsigned seed) {
  const std::vector<uint32_t> words = randomWords(kSize * kSize, seed);
  return generate(words.size(), [&](size_t i) { return int8_t(int(words[i] % 16) - 8); });
}

// Encodes a small integer as bfloat16, which is the upper half of a float, or leaves it an integer.
template <typename Element> Element encoded(int8_t value) {
  if constexpr (sizeof(Element) == 2)
    return Element(std::bit_cast<uint32_t>(float(value)) >> 16);
  else
    return value;
}

template <typename Element> Array input(Plan &plan, const std::vector<int8_t> &values) {
  const auto elements = generate(values.size(), [&](size_t i) { return encoded<Element>(values[i]); });
  return plan.input(withPitch(elements, kSize, kSize, kPitch));
}

template <typename Element, typename Sum> void describe(Plan &plan, const char *kernel, const Tile &tile) {
  const std::vector<int8_t> left = smallIntegers(1), right = smallIntegers(2);
  const Array a = input<Element>(plan, left), b = input<Element>(plan, right), c = plan.output<Sum>(kSize * kPitch);
  plan.program("matrix_mad.cl", tile.options());
  plan.launch(kernel, {a, b, c, cl_int(kSize), cl_int(kPitch)}, {kSize / tile.columns, kSize / (kRows * tile.rows)},
              {kWidth, 1});
  const std::vector<int32_t> sums = product<int32_t>(left, right, kSize);
  plan.expect(c, withPitch(std::vector<Sum>(sums.begin(), sums.end()), kSize, kSize, kPitch));
}

const std::vector<std::string> kMatrices{"cl_intel_subgroup_matrix_multiply_accumulate",
                                         "cl_intel_subgroup_2d_block_io", "cl_intel_required_subgroup_size"};

template <typename Element, typename Sum>
void add(Benchmarks &all, const std::string &type, const std::string &long_type, const char *unit) {
  for (const bool dpas : {true, false}) {
    const std::string kernel = (sizeof(Element) == 2 ? "bf16" : "int8") + std::string(dpas ? "_matrices" : "_elements");
    const Tile tile{2, size_t(dpas ? 1 : 2)};
    all.push_back({
        .name = (dpas ? "dpas-" : "plain-") + type,
        .description = dpas ? "1024 x 1024 x 1024 of " + long_type + " by matrix multiply-accumulate"
                            : "the same element by element",
        .amount = 2e-9 * kSize * kSize * kSize,
        .unit = unit,
        .plan = [=](Plan &plan) { describe<Element, Sum>(plan, kernel.c_str(), tile); },
        .needs = dpas ? kMatrices : kSubGroups,
    });
  }
}

void add(Benchmarks &all) {
  add<uint16_t, float>(all, "bf16", "bfloat16", "GFLOP");
  add<int8_t, int32_t>(all, "int8", "8-bit integers", "GOP");
}

} // namespace matrix_mad

} // namespace

void addMatrices(Benchmarks &all) {
  sgemm::add(all);
  sgemm_local::add(all);
  hgemm::add(all);
  matrix_mad::add(all);
}

} // namespace bench
