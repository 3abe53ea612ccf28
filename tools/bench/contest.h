// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs one benchmark on several contestants in alternation, so that other load on the machine affects all of them
// alike.
#pragma once

#include "benchmark.h"

#include <string>
#include <vector>

namespace bench {

struct Contestant {
  std::string name;
  const Device *device = nullptr; // null: the reference in C++
};

// How one contestant did in one benchmark.
struct Score {
  double seconds = 0; // median time of one operation; 0: there is none
  double fastest = 0; // shortest time of one operation
  size_t samples = 0;
  std::string missing; // the feature that the benchmark needs and the device lacks; empty: none
  std::string failure; // why there is no time, or why the time does not count; empty: no failure
};

// How long each contestant runs a benchmark. Warm-up and verification come on top.
struct Effort {
  double seconds = 0.5;         // time for each contestant
  size_t least = 3, most = 200; // limits on the number of runs, whatever their time
};

// Returns a score for each contestant, in their order. A contestant that fails does not stop the others.
std::vector<Score> compete(const Benchmark &benchmark, const std::vector<Contestant> &contestants,
                           const Effort &effort);

} // namespace bench
