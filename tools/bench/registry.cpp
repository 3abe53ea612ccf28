// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collects the benchmarks of list.def.
#include "benchmark.h"

namespace bench {

#define GROUP(title)
#define BENCHMARK(name) Benchmark name();
#define FAMILY(name) std::vector<Benchmark> name();
#include "list.def"
#undef GROUP
#undef BENCHMARK
#undef FAMILY

namespace {

class List {
public:
  void begin(const char *title) { group = title; }
  void add(Benchmark benchmark) {
    benchmark.group = group;
    all.push_back(std::move(benchmark));
  }
  void add(std::vector<Benchmark> family) {
    for (Benchmark &benchmark : family)
      add(std::move(benchmark));
  }
  std::vector<Benchmark> all;

private:
  std::string group;
};

} // namespace

std::vector<Benchmark> allBenchmarks() {
  List list;
#define GROUP(title) list.begin(title);
#define BENCHMARK(name) list.add(name());
#define FAMILY(name) list.add(name());
#include "list.def"
  return std::move(list.all);
}

} // namespace bench
