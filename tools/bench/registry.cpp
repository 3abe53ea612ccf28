// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The one list of benchmarks. A new one is a file in benchmarks/ and a line here.
#include "benchmark.h"

namespace bench {

Benchmark saxpy();
Benchmark mandelbrot();
Benchmark sgemm();
Benchmark sgemmLocal();
Benchmark dpasBfloat16();
Benchmark plainBfloat16();
Benchmark dpasInt8();
Benchmark plainInt8();
Benchmark gaussian();
Benchmark reduction();
Benchmark scan();
Benchmark emptyLaunch();
Benchmark smallLaunches();
std::vector<Benchmark> builds();
std::vector<Benchmark> subgroups();

std::vector<Benchmark> allBenchmarks() {
  std::vector<Benchmark> all{saxpy(),         mandelbrot(),  sgemm(),        sgemmLocal(), dpasBfloat16(),
                             plainBfloat16(), dpasInt8(),    plainInt8(),    gaussian(),   reduction(),
                             scan(),          emptyLaunch(), smallLaunches()};
  for (const auto &family : {builds(), subgroups()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

} // namespace bench
