// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-bench: the same work on our platform, on another one and in C++, each result verified.
#include "contest.h"
#include "table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace {

using namespace bench;

struct Options {
  std::vector<std::string> names;
  std::string platform = "LaneCL", peer;
  bool native = true, list = false;
  double seconds = 1;
};

// A prefix selects all benchmarks of that family: subgroups, for example, selects subgroups.reduce.16.
std::vector<Benchmark> selectBenchmarks(const std::vector<std::string> &names) {
  const std::vector<Benchmark> all = allBenchmarks();
  if (names.empty())
    return all;
  std::vector<Benchmark> selected;
  for (const std::string &name : names) {
    const size_t before = selected.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(selected),
                 [&](const Benchmark &b) { return b.name == name || b.name.starts_with(name + "."); });
    if (selected.size() == before)
      throw std::runtime_error("there is no benchmark '" + name + "'; --list names them");
  }
  return selected;
}

// Named in the table as the user named them: platforms' own names are long.
std::vector<Contestant> contestantsFor(const Benchmark &benchmark, const Options &options, const Device &ours,
                                       const std::optional<Device> &peer) {
  std::vector<Contestant> contestants{{options.platform, [&] { return benchmark.on_device(ours); }}};
  if (peer)
    contestants.push_back({options.peer, [&] { return benchmark.on_device(*peer); }});
  if (options.native)
    contestants.push_back({"native", benchmark.native});
  return contestants;
}

void describe(const std::string &name, const Device &device) {
  fmt::print("{}: {}, {}, {} compute units\n", name, device.name, device.device.getInfo<CL_DEVICE_NAME>(),
             device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
}

// Returns whether the results of all contestants were right.
bool runAll(const Options &options) {
  const std::vector<Benchmark> benchmarks = selectBenchmarks(options.names);
  const Device ours(options.platform);
  std::optional<Device> peer;
  if (!options.peer.empty())
    peer.emplace(options.peer);

  describe(options.platform, ours);
  if (peer)
    describe(options.peer, *peer);

  std::vector<std::string> names;
  std::vector<Row> rows;
  bool right = true;
  for (const Benchmark &benchmark : benchmarks) {
    fmt::print("{:<30}{}\n", benchmark.name, benchmark.description);
    std::fflush(stdout);
    const std::vector<Contestant> contestants = contestantsFor(benchmark, options, ours, peer);
    rows.push_back({benchmark, compete(benchmark, contestants, options.seconds)});
    names.clear();
    for (size_t i = 0; i < contestants.size(); ++i) {
      names.push_back(contestants[i].name);
      if (const Score &score = rows.back().scores[i]; !score.failure.empty()) {
        fmt::print("  {} FAILED: {}\n", contestants[i].name, score.failure);
        right = false;
      }
    }
  }
  fmt::print("\n{}", formatTable(names, rows));
  return right;
}

void list() {
  for (const Benchmark &benchmark : allBenchmarks())
    fmt::print("{:<30}{}{}\n", benchmark.name, benchmark.description, benchmark.native ? " (native reference)" : "");
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Times OpenCL platforms against each other and against C++.", "lanecl-bench");
  app.add_option("NAME", options.names, "benchmarks to run; all when none is named");
  app.add_option("--platform", options.platform, "the platform under test, a part of its name")->capture_default_str();
  app.add_option("--vs", options.peer, "another platform to run in alternation, a part of its name");
  app.add_flag("!--no-native", options.native, "leave the references in C++ out");
  app.add_option("--seconds", options.seconds, "time for each benchmark and contestant")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--list", options.list, "list the benchmarks and end");
  CLI11_PARSE(app, argc, argv);
  try {
    if (options.list)
      return list(), 0;
    return runAll(options) ? 0 : 1;
  } catch (const cl::Error &error) {
    fmt::print(stderr, "lanecl-bench: {} failed with error {}\n", error.what(), error.err());
  } catch (const std::exception &error) {
    fmt::print(stderr, "lanecl-bench: {}\n", error.what());
  }
  return 1;
}
