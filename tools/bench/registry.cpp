// The one list of benchmarks. A new one is a file in benchmarks/ and a line here.
#include "benchmark.h"

namespace bench {

Benchmark saxpy();
Benchmark mandelbrot();
Benchmark sgemm();
Benchmark sgemmLocal();
Benchmark gaussian();
Benchmark reduction();
Benchmark scan();
Benchmark emptyLaunch();
Benchmark smallLaunches();
Benchmark buildCold();
Benchmark buildWarm();
std::vector<Benchmark> subgroups();

std::vector<Benchmark> allBenchmarks() {
  std::vector<Benchmark> all{saxpy(), mandelbrot(),  sgemm(),         sgemmLocal(), gaussian(), reduction(),
                             scan(),  emptyLaunch(), smallLaunches(), buildCold(),  buildWarm()};
  for (Benchmark &benchmark : subgroups())
    all.push_back(std::move(benchmark));
  return all;
}

} // namespace bench
