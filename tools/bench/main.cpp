// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-bench: does the same work on our platform, on other platforms and in C++, verifies every result and compares
// the times.
#include "results.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <list>

namespace {

using namespace bench;

struct Options {
  std::vector<std::string> names;
  std::string platform = "LaneCL", kernels, json, compare;
  std::vector<std::string> peers;
  bool native = true, list = false, quick = false, fail_when_slower = false;
  double seconds = Effort().seconds, tolerance = 0.1;
};

// Returns the benchmarks of these names. A prefix selects a whole family: `subgroups` selects subgroups.reduce.16 and
// all others of that kind. Throws when a name matches nothing.
std::vector<Benchmark> selectBenchmarks(const std::vector<std::string> &names) {
  const std::vector<Benchmark> all = allBenchmarks();
  if (names.empty())
    return all;
  const auto matches = [](const Benchmark &b, const std::string &name) {
    return b.name == name || b.name.starts_with(name + ".");
  };
  for (const std::string &name : names)
    if (std::none_of(all.begin(), all.end(), [&](const Benchmark &b) { return matches(b, name); }))
      throw std::runtime_error("unknown benchmark '" + name + "'; --list names them");
  std::vector<Benchmark> selected;
  std::copy_if(all.begin(), all.end(), std::back_inserter(selected), [&](const Benchmark &b) {
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) { return matches(b, name); });
  });
  return selected;
}

// The contestants in the order of the table. They have the names that the user gave them, because platforms' own names
// are long.
class Field {
public:
  explicit Field(const Options &options) {
    enter(options.platform, options.platform);
    for (const std::string &peer : options.peers) {
      const size_t equals = peer.find('=');
      enter(peer.substr(0, equals), equals == std::string::npos ? peer : peer.substr(equals + 1));
    }
    if (options.native)
      contestants.push_back({"native", nullptr});
  }

  Results emptyResults() const {
    Results results{thisMachine(), {}, {}, {}};
    for (const Contestant &contestant : contestants) {
      results.contestants.push_back(contestant.name);
      results.software.push_back(contestant.device ? softwareOf(*contestant.device) : Software{});
    }
    return results;
  }

  std::vector<Contestant> contestants;

private:
  void enter(const std::string &name, const std::string &platform) {
    const auto is_named = [&](const Contestant &other) { return other.name == name; };
    if (name.empty() || name == "native" || std::any_of(contestants.begin(), contestants.end(), is_named))
      throw std::runtime_error("'" + name +
                               "' cannot be the name of a contestant: names must be unique and not empty, and "
                               "'native' is the C++ reference");
    contestants.push_back({name, &devices.emplace_back(platform)});
  }

  static Software softwareOf(const Device &device) {
    return {device.name, device.device.getInfo<CL_DEVICE_NAME>(), device.device.getInfo<CL_DRIVER_VERSION>()};
  }

  std::list<Device> devices;
};

void describe(const Results &results, const Field &field) {
  fmt::print("{}, {} cores, {}\n", results.machine.processor, results.machine.cores, results.machine.isa);
  for (size_t i = 0; i < field.contestants.size(); ++i)
    if (const Device *device = field.contestants[i].device)
      fmt::print("{}: {}, {}, driver {}, {} compute units\n", results.contestants[i], results.software[i].platform,
                 results.software[i].device, results.software[i].driver,
                 device->device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
}

// Prints the failures of a benchmark and returns whether all results were right.
bool reportFailures(const Results &results, const Row &row) {
  bool right = true;
  for (size_t i = 0; i < row.scores.size(); ++i)
    if (const Score &score = row.scores[i]; !score.failure.empty()) {
      fmt::print("  {} FAILED: {}\n", results.contestants[i], score.failure);
      right = false;
    }
  return right;
}

// Runs the selected benchmarks. Returns whether all results were right and, with --fail-when-slower, no benchmark
// became slower.
bool runAll(const Options &options) {
  const std::vector<Benchmark> benchmarks = selectBenchmarks(options.names);
  const Field field(options);
  Results results = field.emptyResults();
  describe(results, field);

  const Effort effort = options.quick ? Effort{0, 1, 1} : Effort{options.seconds};
  bool right = true;
  for (const Benchmark &benchmark : benchmarks) {
    fmt::print("{:<35} {}\n", benchmark.name, benchmark.description);
    std::fflush(stdout);
    results.rows.push_back({benchmark, compete(benchmark, field.contestants, effort)});
    right &= reportFailures(results, results.rows.back());
  }
  fmt::print("\n{}", formatTable(results));
  if (!options.json.empty())
    writeJson(results, options.json);
  if (options.compare.empty())
    return right;
  const Comparison comparison = compareWith(options.compare, results, options.tolerance);
  fmt::print("\n{}", comparison.text);
  return right && !(options.fail_when_slower && comparison.slower > 0);
}

void list() {
  for (const Benchmark &benchmark : allBenchmarks())
    fmt::print("{:<35} {}{}\n", benchmark.name, benchmark.description, benchmark.native ? " (native reference)" : "");
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Times OpenCL platforms against each other and against C++.", "lanecl-bench");
  app.add_option("NAME", options.names, "benchmarks to run; by default all");
  app.add_option("--platform", options.platform, "part of the name of the platform under test")->capture_default_str();
  app.add_option("--vs", options.peers,
                 "another platform to run in alternation, a part of its name or NAME=DRIVER with the driver's .so or "
                 ".icd file; may be given several times")
      ->allow_extra_args(false);
  app.add_flag("!--no-native", options.native, "leave out the C++ references");
  app.add_option("--seconds", options.seconds, "time for each benchmark and contestant")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--quick", options.quick, "run each benchmark once, to verify the results");
  app.add_option("--json", options.json, "write all figures to this file");
  app.add_option("--compare", options.compare, "list what became slower or faster than in this file of --json");
  app.add_option("--tolerance", options.tolerance,
                 "relative increase in time that does not count as slower; 0.1 is 10 %")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--fail-when-slower", options.fail_when_slower,
               "with --compare: exit with status 1 if something is slower");
  app.add_option("--kernels", options.kernels, "a folder with other versions of some kernel files")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--list", options.list, "list the benchmarks and exit");
  CLI11_PARSE(app, argc, argv);
  try {
    preferKernels(options.kernels);
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
