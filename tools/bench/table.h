// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table of medians and ratios.
#pragma once

#include "contest.h"

#include <string>
#include <vector>

namespace bench {

struct Row {
  Benchmark benchmark;
  std::vector<Score> scores; // in the order of the contestants
};

// The first contestant is compared with each of the others.
std::string formatTable(const std::vector<std::string> &contestants, const std::vector<Row> &rows);

std::string formatTime(double seconds);

} // namespace bench
