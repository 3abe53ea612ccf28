// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The list of all benchmarks, in the order of the table. Each function is in a file of benchmarks/.
#include "benchmark.h"

namespace bench {

void addMemory(Benchmarks &all);
void addArithmetic(Benchmarks &all);
void addMatrices(Benchmarks &all);
void addNetworks(Benchmarks &all);
void addPictures(Benchmarks &all);
void addAlgorithms(Benchmarks &all);
void addSubGroups(Benchmarks &all);
void addLaunches(Benchmarks &all);
void addScaling(Benchmarks &all);
void addBuilds(Benchmarks &all);

Benchmarks allBenchmarks() {
  struct Group {
    const char *name;
    void (*add)(Benchmarks &all);
  };
  constexpr Group kGroups[] = {{"kernels", addMemory},
                               {"kernels", addArithmetic},
                               {"kernels", addMatrices},
                               {"kernels", addNetworks},
                               {"kernels", addPictures},
                               {"kernels", addAlgorithms},
                               {"sub-group functions", addSubGroups},
                               {"launches", addLaunches},
                               {"scaling", addScaling},
                               {"builds", addBuilds}};
  Benchmarks all;
  for (const Group &group : kGroups) {
    const size_t first = all.size();
    group.add(all);
    for (size_t i = first; i < all.size(); ++i)
      all[i].group = group.name;
  }
  return all;
}

} // namespace bench
