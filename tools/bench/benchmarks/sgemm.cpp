// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The example's matrix multiplication by sub-groups, 1024 x 1024 x 1024.
#include "../benchmark.h"
#include "../native/native.h"
#include "matrices.h"

#include <algorithm>
#include <chrono>

namespace bench {

namespace {

constexpr size_t kSize = 1024, kWidth = 16;

size_t divideUp(size_t value, size_t by) {
  return (value + by - 1) / by;
}

// The tiles that the example keeps in registers, in rows and in blocks of 16 columns.
struct Tile {
  size_t rows, columns;
};
constexpr Tile kTiles[] = {{6, 4}, {5, 1}};

// Multiplies the matrices as the example's host program does, with padded rows.
class OnDevice : public Case {
public:
  OnDevice(const Device &device, Tile tile)
      : device(device), tile(tile), kernel(device.build(exampleKernels("sgemm"), "sgemm.cl",
                                                        "-DTILE_ROWS=" + std::to_string(tile.rows) +
                                                            " -DTILE_COLUMNS=" + std::to_string(tile.columns)),
                                           "sgemm") {
    std::vector<float> padded_a = withPitch(matrices(kSize).a, kSize, kPitch);
    padded_a.resize(divideUp(kSize, tile.rows) * tile.rows * kPitch);
    const std::vector<float> padded_b = withPitch(matrices(kSize).b, kSize, kPitch);
    result.resize(padded_a.size());
    a = device.readOnly(padded_a.data(), padded_a.size() * sizeof(float));
    b = device.readOnly(padded_b.data(), padded_b.size() * sizeof(float));
    c = device.writeOnly(result.size() * sizeof(float));
    kernel.setArg(0, a);
    kernel.setArg(1, b);
    kernel.setArg(2, c);
    kernel.setArg(3, cl_int(kSize));
    for (cl_uint argument = 4; argument < 7; ++argument)
      kernel.setArg(argument, cl_int(kPitch));
  }
  void run() override {
    device.launch(kernel, cl::NDRange(kWidth * divideUp(kSize, tile.rows), kSize / (kWidth * tile.columns)),
                  cl::NDRange(kWidth, 1));
    device.queue.finish();
  }
  void verify() override {
    device.read(c, result);
    matrices(kSize).verify(result, kPitch);
  }

private:
  static constexpr size_t kPitch = kSize + kWidth;
  const Device &device;
  const Tile tile;
  std::vector<float> result;
  cl::Kernel kernel;
  cl::Buffer a, b, c;
};

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
  for (const Tile tile : kTiles) {
    auto candidate = std::make_unique<OnDevice>(device, tile);
    if (const auto time = fastestOfThree(*candidate); time < shortest) {
      shortest = time;
      best = std::move(candidate);
    }
  }
  return best;
}

class Native : public Case {
public:
  void run() override {
    native::sgemm(matrices(kSize).a.data(), matrices(kSize).b.data(), result.data(), kSize, kSize, kSize);
  }
  void verify() override { matrices(kSize).verify(result, kSize); }

private:
  std::vector<float> result = std::vector<float>(kSize * kSize);
};

} // namespace

Benchmark sgemm() {
  return {"sgemm",
          "1024 x 1024 x 1024 by sub-groups, the example's kernel",
          1,
          2e-9 * kSize * kSize * kSize,
          "GFLOP",
          withBestTile,
          [] { return std::make_unique<Native>(); },
          kSubGroups};
}

} // namespace bench
