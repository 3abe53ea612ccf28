// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multiplies matrices in single precision with sub-groups of 16: block reads, broadcasts, and a tile in registers.
//
//   example_sgemm --m 1024 --n 1024 --k 1024
#include "common/example.hpp"

#include <cmath>
#include <random>

namespace {

constexpr size_t kWidth = 16; // the sub-group size that the kernel requires

size_t roundUp(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

size_t divideUp(size_t value, size_t by) {
  return (value + by - 1) / by;
}

// The tile of C that one sub-group keeps in registers: its rows, and its columns in blocks of 16.
struct Tile {
  size_t rows, columns;
};

// Returns a tile whose sums fill the vector registers and leave room for a row of B and an element of A. There are 32
// registers of 16 floats, or 16 registers of 8 floats, two of which hold one value of a sub-group.
Tile tileFor(const cl::Device &device) {
  return device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>() >= 16 ? Tile{6, 4} : Tile{5, 1};
}
// Multiples of the tile's rows and columns for either kind of tile.
constexpr size_t kRowMultiple = 30, kColumnMultiple = 4 * kWidth;

// A matrix in row-major order. Rows and columns are padded with zeros to whole tiles. Each row has one more block, so
// that its length is not a power of two, which would put a column of B into a few sets of the cache. The kernel reads
// as many rows of B as A has columns, rounded up to a multiple of 16, so B has more rows for that.
struct Matrix {
  size_t rows, columns, pitch;
  std::vector<float> elements;

  Matrix(size_t rows, size_t columns)
      : rows(rows), columns(columns), pitch(roundUp(columns, kColumnMultiple) + kWidth),
        elements((roundUp(rows, kRowMultiple) + kWidth) * pitch) {}

  void fill(std::mt19937 &random) {
    std::uniform_real_distribution<float> distribution(-1, 1);
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column)
        elements[row * pitch + column] = distribution(random);
  }
  const float *row(size_t index) const { return elements.data() + index * pitch; }
  size_t bytes() const { return elements.size() * sizeof(float); }
};

// Each element is a sum of products below 1, added one after the other. Each rounding error is at most half a unit in
// the last place of a partial sum, and errors have both signs. Partial sums grow like the square root of their number,
// and so do the errors. This makes depth * epsilon a generous bound, which a missing product would exceed.
bool verify(const Matrix &a, const Matrix &b, const Matrix &c) {
  const double tolerance = double(a.columns) * 0x1p-23;
  std::vector<double> sums(b.columns);
  for (size_t row = 0; row < a.rows; ++row) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (size_t k = 0; k < a.columns; ++k)
      for (size_t column = 0; column < b.columns; ++column)
        sums[column] += double(a.row(row)[k]) * b.row(k)[column];
    for (size_t column = 0; column < b.columns; ++column)
      if (!(std::abs(c.row(row)[column] - sums[column]) <= tolerance)) {
        std::printf("MISMATCH in row %zu, column %zu: %g, expected %g\n", row, column, c.row(row)[column],
                    sums[column]);
        return false;
      }
  }
  return true;
}

bool run(int argc, char **argv) {
  const example::Options options(argc, argv, {{"m", "1024"}, {"n", "1024"}, {"k", "1024"}});
  const size_t m = options.number("m", 1, 8192), n = options.number("n", 1, 8192), k = options.number("k", 1, 8192);
  const cl::Device device =
      example::chooseDevice(options.text("platform"), {"cl_intel_subgroups", "cl_intel_required_subgroup_size"});
  example::printDevice(device);
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);

  std::mt19937 random(1);
  Matrix a(m, k), b(k, n), c(m, n);
  a.fill(random);
  b.fill(random);
  const cl::Buffer a_buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, a.bytes(), a.elements.data());
  const cl::Buffer b_buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, b.bytes(), b.elements.data());
  const cl::Buffer c_buffer(context, CL_MEM_WRITE_ONLY, c.bytes());

  const Tile tile = tileFor(device);
  const std::string build_options =
      "-DTILE_ROWS=" + std::to_string(tile.rows) + " -DTILE_COLUMNS=" + std::to_string(tile.columns);
  cl::Kernel kernel(example::buildProgram(context, device, EXAMPLE_DIRECTORY, "sgemm.cl", build_options), "sgemm");
  kernel.setArg(0, a_buffer);
  kernel.setArg(1, b_buffer);
  kernel.setArg(2, c_buffer);
  kernel.setArg(3, cl_int(roundUp(k, kWidth)));
  kernel.setArg(4, cl_int(a.pitch));
  kernel.setArg(5, cl_int(b.pitch));
  kernel.setArg(6, cl_int(c.pitch));

  const cl::NDRange global(kWidth * divideUp(m, tile.rows), divideUp(n, kWidth * tile.columns)), local(kWidth, 1);
  const double milliseconds = example::fastestMilliseconds(5, [&] {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
    queue.finish();
  });
  queue.enqueueReadBuffer(c_buffer, CL_TRUE, 0, c.bytes(), c.elements.data());
  std::printf("Width     %zu work-items per sub-group, each sub-group a tile of %zu x %zu\n",
              example::subGroupWidth(kernel, device, local), tile.rows, kWidth * tile.columns);
  std::printf("Time      %.3f ms for %zu x %zu x %zu, %.1f GFLOP/s\n", milliseconds, m, n, k,
              2e-6 * m * n * k / milliseconds);
  const bool right = verify(a, b, c);
  std::printf("%s\n", right ? "Verified: every element is within rounding of the host's" : "FAILED");
  return right;
}

} // namespace

int main(int argc, char **argv) {
  return example::guarded([&] { return run(argc, argv); });
}
