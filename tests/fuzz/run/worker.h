// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A process that runs cases. A case that crashes or never returns ends only that process.
#pragma once

#include "run/device.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace lanecl::fuzz {

// How a worker's process differs from the one that starts it.
struct Surroundings {
  std::vector<std::pair<std::string, std::string>> environment{}; // variables and their values
  std::filesystem::path errors{};                                 // gets the standard error stream; empty: as it is
};

// Runs one case at a time in a process of its own, which it starts again after a crash or a time-out.
class Worker {
public:
  explicit Worker(std::string platform_, Surroundings surroundings_ = {})
      : platform(std::move(platform_)), surroundings(std::move(surroundings_)) {}
  ~Worker() { stop(); }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  void begin(const Case &test, std::chrono::seconds patience); // starts the process if there is none
  bool busy() const { return running; }
  int descriptor() const { return replies; } // readable when the case is done
  std::chrono::steady_clock::time_point deadline() const { return until; }
  // Waits until the case is done or the deadline has passed. Afterwards the worker is free for another case.
  std::vector<Finding> finish();

private:
  std::string platform;
  Surroundings surroundings;
  pid_t process = -1;
  int requests = -1, replies = -1;
  bool running = false;
  std::chrono::steady_clock::time_point until{};

  void start();
  void stop();
};

} // namespace lanecl::fuzz
