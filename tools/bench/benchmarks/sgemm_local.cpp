// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrix multiplication through local memory with work-group barriers, 512 x 512 x 512, at three tile sizes.
#include "../native/native.h"
#include "../workload.h"
#include "matrices.h"

namespace bench {

namespace {

constexpr size_t kSize = 512;

Benchmark withTile(size_t tile) {
  return benchmarkOf({
      .name = "sgemm-local." + std::to_string(tile),
      .description = "512 x 512 x 512 through local memory, with barriers",
      .amount = 2e-9 * kSize * kSize * kSize,
      .unit = "GFLOP",
      .plan =
          [=](Plan &plan) {
            const Array a = plan.input(matrices(kSize).a), b = plan.input(matrices(kSize).b);
            const Array c = plan.output<float>(kSize * kSize);
            plan.program("sgemm_local.cl", "-DTILE=" + std::to_string(tile));
            plan.launch("sgemm_local", {a, b, c, cl_int(kSize), cl_int(kSize)}, {kSize, kSize}, {tile, tile});
            plan.check<float>(c, [](auto result) { matrices(kSize).verify(result, kSize); });
          },
      .native =
          [](HostArrays &arrays) {
            native::sgemmTiled(arrays.in<float>(0), arrays.in<float>(1), arrays.out<float>(2), kSize);
          },
  });
}

} // namespace

std::vector<Benchmark> sgemmLocal() {
  return {withTile(8), withTile(16), withTile(32)};
}

} // namespace bench
