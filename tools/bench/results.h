// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a run of the benchmarks found, and where: as a table, as JSON, and compared with an earlier run.
#pragma once

#include "contest.h"

#include <string>
#include <vector>

namespace bench {

struct Machine {
  std::string processor;
  unsigned cores;  // that this process may use
  std::string isa; // "avx512", "avx2" or "sse2": the widest vectors of the references in C++
};

Machine thisMachine();

// The software of a contestant; empty for the references in C++.
struct Software {
  std::string platform, device, driver;
};

struct Row {
  Benchmark benchmark;
  std::vector<Score> scores; // in the order of the contestants
};

struct Results {
  Machine machine;
  std::vector<std::string> contestants; // the first one is compared with each of the others
  std::vector<Software> software;       // of each contestant
  std::vector<Row> rows;
};

// Medians, and for each other contestant the time of the first divided by its time, with a geometric mean per group.
std::string formatTable(const Results &results);

std::string formatTime(double seconds);

// All figures; docs/performance.md describes the format. Throws when the file cannot be written.
void writeJson(const Results &results, const std::string &path);

struct Comparison {
  std::string text;
  size_t slower = 0; // benchmarks
};

// Compares the first contestant's times with those of the same name in a file of writeJson. A benchmark is slower, or
// failed where it did not, when it takes more than 1 + `tolerance` times as long. Throws when the file is not one.
Comparison compareWith(const std::string &path, const Results &results, double tolerance);

} // namespace bench
