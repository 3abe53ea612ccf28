// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The results of a run of the benchmarks and the machine it ran on. They are shown as a table, written as JSON, and
// compared with those of an earlier run.
#pragma once

#include "contest.h"

#include <string>
#include <vector>

namespace bench {

struct Machine {
  std::string processor;
  unsigned cores;  // processors that this process may use
  std::string isa; // the widest vectors of the references in C++: "avx512", "avx2" or "sse2"
};

Machine thisMachine();

// The software of a contestant. All members are empty for the references in C++.
struct Software {
  std::string platform, device, driver;
};

struct Row {
  Benchmark benchmark;
  std::vector<Score> scores; // in the order of the contestants
};

struct Results {
  Machine machine;
  // The first contestant is compared with each of the others.
  std::vector<std::string> contestants;
  std::vector<Software> software; // in the order of the contestants
  std::vector<Row> rows;
};

// Returns the table: the median times, and for each other contestant the first one's time divided by its time. Each
// group has a geometric mean of these ratios.
std::string formatTable(const Results &results);

std::string formatTime(double seconds);

// Writes all figures in the format that docs/measurements.md describes. Throws std::runtime_error when the file cannot
// be written.
void writeJson(const Results &results, const std::string &path);

struct Comparison {
  std::string text;
  size_t slower = 0; // the number of slower benchmarks
};

// Compares the first contestant's times with the times that a contestant of the same name has in a file of writeJson().
// A benchmark is slower when its time has grown by more than the factor 1 + `tolerance`, or when it fails now and did
// not fail then. Throws std::runtime_error when the file is not one of writeJson().
Comparison compareWith(const std::string &path, const Results &results, double tolerance);

} // namespace bench
