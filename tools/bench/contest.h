// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times one benchmark on several contestants in alternation, so that other load on the machine affects all of them.
#pragma once

#include "benchmark.h"

#include <string>
#include <vector>

namespace bench {

struct Contestant {
  std::string name;
  std::function<std::unique_ptr<Case>()> setUp; // empty: does not take part
};

struct Score {
  double seconds = 0; // median of one operation; 0: none
  size_t samples = 0;
  std::string failure; // why there is no time, or why it is not valid
};

// One score a contestant. `budget` is the time for each, in seconds, warm-up and verification apart.
std::vector<Score> compete(const Benchmark &benchmark, const std::vector<Contestant> &contestants, double budget);

} // namespace bench
