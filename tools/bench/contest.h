// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times one benchmark on several contestants in alternation, so that other load on the machine affects all of them.
#pragma once

#include "benchmark.h"

#include <string>
#include <vector>

namespace bench {

struct Contestant {
  std::string name;
  const Device *device = nullptr; // none: the reference in C++
};

struct Score {
  double seconds = 0; // median of one operation; 0: none
  double fastest = 0; // of the samples, for one operation
  size_t samples = 0;
  std::string missing; // what the benchmark needs and the device lacks
  std::string failure; // why there is no time, or why it is not valid
};

// How long a benchmark is run, warm-up and verification apart.
struct Effort {
  double seconds = 0.5;         // for each contestant
  size_t least = 3, most = 200; // runs, whatever the time
};

// One score a contestant.
std::vector<Score> compete(const Benchmark &benchmark, const std::vector<Contestant> &contestants,
                           const Effort &effort);

} // namespace bench
