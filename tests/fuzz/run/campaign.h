// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs kernels of consecutive seeds on several workers, for as long as is asked for.
#pragma once

#include "generate/generators.h"
#include "run/worker.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace lanecl::fuzz {

// The settings of a campaign, as the command line gives them.
struct Settings {
  std::vector<Generator> generators{};
  Without without{};
  uint64_t seed = 1;
  std::optional<uint64_t> count{}; // number of kernels of each generator
  std::optional<std::chrono::seconds> duration{};
  unsigned jobs = 1;
  bool reduces = true;
  bool as_spirv = false; // programs are SPIR-V modules whose blocks are in random order
  unsigned most_failures = 100;
  std::string platform = "LaneCL";
  std::filesystem::path folder = "."; // where files about failures are put
  std::chrono::seconds patience{120}; // how long a program may run
};

// Tests the kernels of several generators in turn, and writes a reduced case for each kernel that fails.
class Campaign {
public:
  explicit Campaign(const Settings &settings);
  unsigned run(); // returns the number of failing kernels

private:
  using Clock = std::chrono::steady_clock;

  // The progress of one generator.
  struct Progress {
    Generator generator{};
    uint64_t next = 0; // the next seed
    uint64_t kernels = 0, rejected = 0, failures = 0;
  };
  // The kernels of one program.
  struct Batch {
    Progress *progress = nullptr;
    Variant variant{};
    std::vector<Sample> samples{};
    Case test{};
  };
  // A worker and the program that it is running.
  struct Job {
    std::unique_ptr<Worker> worker;
    Batch batch{};
  };

  const Settings &settings;
  std::vector<Progress> progress;
  std::vector<Job> jobs;
  Worker examiner; // runs a failed kernel once more and reduces it
  size_t turn = 0; // number of the generator whose batch is next
  Clock::time_point start = Clock::now(), shown = start;

  bool goesOn() const;
  Progress *chooseGenerator();
  Batch makeBatch(Progress &of);
  void fill(Job &job);
  void wait() const;
  void collect(Job &job);
  static void reject(Progress &of, uint64_t kernels);
  void examine(Batch &batch, const std::vector<Finding> &findings);
  bool examineAlone(Batch &batch, const Sample &sample);
  std::vector<Finding> runAlone(const Kernel &kernel, const Variant &variant, std::chrono::seconds patience);
  Kernel reduced(const Kernel &kernel, const Variant &variant, Verdict verdict);
  std::string guilty(const Case &test, Verdict verdict, const std::string &name) const;
  void keep(const Case &test, const std::string &name, const std::vector<Finding> &findings);
  void show(bool finally);
};

} // namespace lanecl::fuzz
