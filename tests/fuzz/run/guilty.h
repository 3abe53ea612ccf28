// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the optimization without which a kernel that fails is right.
#pragma once

#include "run/device.h"

#include <chrono>
#include <filesystem>
#include <functional>

namespace lanecl::fuzz {

// One run of an optimization, as the compiler lists it: "BISECT: running pass (12) licm on k".
struct PassRun {
  int number;
  std::string pass;
};

// What became of a case with LANECL_BISECT=N.
struct Attempt {
  bool fails = false;
  std::vector<PassRun> runs{}; // those that took place, for each kernel that was compiled
};

// Runs the case in a process of its own, in which only the first `last_run` runs of optimizations take place; all of
// them with -1. `log` is a file that may be overwritten.
Attempt attemptWith(int last_run, const Case &test, const std::string &platform, Verdict verdict,
                    std::chrono::seconds patience, const std::filesystem::path &log);

// Halves the interval until a case fails with N runs and does not with N - 1. Returns a line that names the N-th run,
// or says that none of them is to blame.
std::string guiltyPass(const std::function<Attempt(int last_run)> &attempt);

} // namespace lanecl::fuzz
