// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs random kernels on the device and compares the results with their evaluation on the host.
//   lanecl_fuzz [--generator NAME] [--seed S] [--count N] [--minutes M]     endless if neither limit is given
//   lanecl_fuzz --replay FILE [--platform NAME]                             runs what a failure left, on any device
//   lanecl_fuzz --stops [--count N] [--folder F]                            plans for the debugger, each one line of
//                                                                           JSON
// LANECL_ISA or --isa chooses the instruction set. Exit status: 0 success, 1 failures, 2 wrong usage, 77 the processor
// lacks the instruction set.
#include "run/campaign.h"
#include "support/isa.h"
#include "watch/stop.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <signal.h>

using namespace lanecl::fuzz;

namespace {

int replay(const std::string &file, const std::string &platform) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("cannot read " + file);
  const Case test = readCase(in);
  const Device device(platform);
  const std::vector<Finding> findings = device.run(test);
  for (const Finding &finding : findings)
    std::printf("%s: %s", nameOf(finding.verdict).c_str(), finding.text.c_str());
  std::printf("%s on %s\n", findings.empty() ? "passed" : "FAILED", device.name().c_str());
  return findings.empty() ? 0 : 1;
}

int print(const Settings &settings) {
  for (const Generator &generator : settings.generators)
    for (uint64_t seed = settings.seed; seed < settings.seed + settings.count.value_or(1); ++seed)
      if (const std::optional<Sample> sample = generate(generator, settings.without, seed))
        std::printf("%s\n", makeCase({{&sample->kernel, &sample->outcomes}}, variantNumber(0)).source.c_str());
  return 0;
}

// Writes the source and the case of each kernel to the folder. The kernels are also built with these options.
int planStops(const Settings &settings, const std::string &options) {
  constexpr unsigned kWidth = 16;
  for (const Generator &generator : settings.generators)
    for (uint64_t seed = settings.seed; seed < settings.seed + settings.count.value_or(1); ++seed) {
      const std::optional<Sample> sample = generate(generator, settings.without, seed);
      std::optional<Stop> stop = sample ? planStop(*sample, variantNumber(0), kWidth, seed) : std::nullopt;
      if (!stop)
        continue;
      const std::string name = (settings.folder / (std::string(generator.name) + "-" + std::to_string(seed))).string();
      stop->test.options += " " + options + " -s " + name + ".cl";
      std::ofstream(name + ".cl") << stop->test.source;
      std::ofstream test(name + ".case");
      write(test, stop->test);
      std::printf("%s\n", describe(*stop, name + ".cl", name + ".case").c_str());
    }
  return 0;
}

Op operationNamed(const std::string &name) {
  for (unsigned i = 0; i < std::size(kOps); ++i)
    if (kOps[i].text == name && kOps[i].form == Form::Function)
      return Op(i);
  throw std::runtime_error("unknown function " + name);
}

int fuzz(const Settings &settings) {
  signal(SIGPIPE, SIG_IGN); // the death of a worker is noticed when its answer is read
  std::printf("seed %llu\n", (unsigned long long)settings.seed);
  std::fflush(stdout);
  const unsigned failures = Campaign(settings).run();
  std::printf("%u kernels failed\n", failures);
  return failures ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  settings.seed = std::random_device()() * uint64_t(1000);
  std::string file, isa, stops;
  std::vector<std::string> generators, without;
  double minutes = 0;
  bool prints = false, keeps = false;
  CLI::App app("Random kernels on the device against their evaluation on the host");
  app.add_option("--generator", generators,
                 "integers, memory, sub-groups, floats, relaxed-floats, halves, relaxed-halves, rows, chains, waits, "
                 "undefined, locks, aliases or loops; by default all in turn");
  app.add_option("--seed", settings.seed, "seed of the first kernel; by default random");
  app.add_option("--count", settings.count, "number of kernels per generator");
  app.add_option("--minutes", minutes, "time limit in minutes");
  app.add_option("--isa", isa, "avx512, avx2 or sse42")->check(CLI::IsMember({"avx512", "avx2", "sse42"}));
  app.add_option("--jobs", settings.jobs, "number of processes that run kernels")
      ->check(CLI::PositiveNumber)
      ->take_last();
  app.add_option("--without", without, "OpenCL C functions that no kernel may call");
  app.add_option("--failures", settings.most_failures, "number of failures after which to stop");
  app.add_option("--folder", settings.folder, "folder for the files of failing kernels")->take_last();
  app.add_option("--platform", settings.platform, "part of the OpenCL platform's name");
  app.add_option("--replay", file, "run the file of a failing kernel again");
  app.add_flag(
      "--spirv", settings.as_spirv,
      "pass kernels as SPIR-V modules, with their blocks in random order; kernels that Clang does not translate, "
      "or translates wrongly, are left out");
  app.add_flag("--no-reduce", keeps, "do not reduce failing kernels");
  app.add_option("--stops", stops,
                 "print where a debugger should stop, and run nothing; takes build options such as -g");
  app.add_flag("--print", prints, "print the kernels and run nothing");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!isa.empty())
      setenv("LANECL_ISA", isa.c_str(), 1);
    setenv("LANECL_STRICT", "1", 0); // a failure inside the compiler counts as a failure of the kernel
    if (!lanecl::test::isaAvailable())
      return lanecl::test::kSkipped;
    for (const std::string &name : generators)
      settings.generators.push_back(generatorNamed(name));
    if (generators.empty())
      settings.generators.assign(std::begin(kGenerators), std::end(kGenerators));
    for (const std::string &name : without)
      settings.without.insert(operationNamed(name));
    settings.reduces = !keeps;
    if (minutes > 0)
      settings.duration = std::chrono::seconds(int64_t(minutes * 60));
    if (!file.empty())
      return replay(file, settings.platform);
    if (!stops.empty())
      return planStops(settings, stops);
    return prints ? print(settings) : fuzz(settings);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());
    return 2;
  }
}
