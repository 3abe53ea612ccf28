// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multiplies matrices of bfloat16 and of 8-bit integers, 1024 x 1024 x 1024: by the sub-group functions for matrix
// multiply-accumulate, and by ordinary arithmetic. All elements are small integers, so the product is exact in both
// types.
#include "../benchmark.h"

#include <cstdint>
#include <cstring>
#include <random>

namespace bench {

namespace {

constexpr size_t kSize = 1024, kWidth = 16, kRows = 8;
constexpr size_t kPitch = kSize + 2 * kWidth; // with padding, so that not all rows start in the same sets of the caches

struct SmallIntegers {
  SmallIntegers() : a(kSize * kSize), b(kSize * kSize), product(kSize * kSize) {
    std::mt19937 random(5);
    std::uniform_int_distribution<int> elements(-8, 7);
    for (size_t i = 0; i < kSize * kSize; ++i) {
      a[i] = int8_t(elements(random));
      b[i] = int8_t(elements(random));
    }
    for (size_t row = 0; row < kSize; ++row)
      for (size_t k = 0; k < kSize; ++k)
        for (size_t column = 0; column < kSize; ++column)
          product[row * kSize + column] += a[row * kSize + k] * b[k * kSize + column];
  }
  std::vector<int8_t> a, b;
  std::vector<int32_t> product;
};

const SmallIntegers &smallIntegers() {
  static const SmallIntegers matrices;
  return matrices;
}

struct Bfloat16 {
  using Element = uint16_t;
  using Sum = float;
  static Element encode(int8_t value) {
    const float wide = value;
    uint32_t bits;
    std::memcpy(&bits, &wide, sizeof bits);
    return Element(bits >> 16);
  }
};

struct Int8 {
  using Element = int8_t;
  using Sum = int32_t;
  static Element encode(int8_t value) { return value; }
};

template <class Type> std::vector<typename Type::Element> encoded(const std::vector<int8_t> &values) {
  std::vector<typename Type::Element> elements(kSize * kPitch);
  for (size_t row = 0; row < kSize; ++row)
    for (size_t column = 0; column < kSize; ++column)
      elements[row * kPitch + column] = Type::encode(values[row * kSize + column]);
  return elements;
}

// The tile of C that a sub-group computes, in units of 8 rows and 16 columns.
struct Tile {
  size_t rows, columns;
};

template <class Type> class OnDevice : public Case {
  using Sum = typename Type::Sum;

public:
  OnDevice(const Device &device, const char *name, Tile tile)
      : device(device), tile(tile), kernel(device.build(ownKernels(), "matrix_mad.cl",
                                                        "-DTILE_ROWS=" + std::to_string(tile.rows) +
                                                            " -DTILE_COLUMNS=" + std::to_string(tile.columns)),
                                           name) {
    const auto left = encoded<Type>(smallIntegers().a), right = encoded<Type>(smallIntegers().b);
    a = device.readOnly(left.data(), left.size() * sizeof left[0]);
    b = device.readOnly(right.data(), right.size() * sizeof right[0]);
    c = device.writeOnly(result.size() * sizeof result[0]);
    kernel.setArg(0, a);
    kernel.setArg(1, b);
    kernel.setArg(2, c);
    kernel.setArg(3, cl_int(kSize));
    kernel.setArg(4, cl_int(kPitch));
  }
  void run() override {
    device.launch(kernel, cl::NDRange(kSize / tile.columns, kSize / (kRows * tile.rows)), cl::NDRange(kWidth, 1));
    device.queue.finish();
  }
  void verify() override {
    device.read(c, result);
    for (size_t row = 0; row < kSize; ++row)
      for (size_t column = 0; column < kSize; ++column)
        if (const auto got = result[row * kPitch + column], want = Sum(smallIntegers().product[row * kSize + column]);
            got != want)
          throw Mismatch("row " + std::to_string(row) + ", column " + std::to_string(column) + " is " +
                         std::to_string(got) + " instead of " + std::to_string(want));
  }

private:
  const Device &device;
  const Tile tile;
  std::vector<Sum> result = std::vector<Sum>(kSize * kPitch);
  cl::Kernel kernel;
  cl::Buffer a, b, c;
};

const std::vector<std::string> kMatrices{"cl_intel_subgroup_matrix_multiply_accumulate",
                                         "cl_intel_subgroup_2d_block_io", "cl_intel_required_subgroup_size"};

template <class Type>
Benchmark matrixMad(const char *name, const char *description, const char *unit, const char *kernel, Tile tile,
                    const std::vector<std::string> &needs) {
  return {name, description,
          1,    2e-9 * kSize * kSize * kSize,
          unit, [=](const Device &device) { return std::make_unique<OnDevice<Type>>(device, kernel, tile); },
          {},   needs};
}

} // namespace

Benchmark dpasBfloat16() {
  return matrixMad<Bfloat16>("dpas-bf16", "1024 x 1024 x 1024 of bfloat16 by matrix multiply-accumulate", "GFLOP",
                             "bf16_matrices", {2, 1}, kMatrices);
}
Benchmark plainBfloat16() {
  return matrixMad<Bfloat16>("plain-bf16", "the same element by element", "GFLOP", "bf16_elements", {2, 2}, kSubGroups);
}
Benchmark dpasInt8() {
  return matrixMad<Int8>("dpas-int8", "1024 x 1024 x 1024 of 8-bit integers by matrix multiply-accumulate", "GOP",
                         "int8_matrices", {2, 1}, kMatrices);
}
Benchmark plainInt8() {
  return matrixMad<Int8>("plain-int8", "the same element by element", "GOP", "int8_elements", {2, 2}, kSubGroups);
}

} // namespace bench
