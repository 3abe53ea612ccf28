// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks the processor, the instruction set and the profiler that the settings name.
#include "icd/configuration.h"

#include "settings/made_once.h"
#include "vectorizer/internal_errors.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace lanecl::icd {
namespace {

vectorizer::Isa isaNamed(const std::string &name) {
  return name == "avx512"  ? vectorizer::Isa::Avx512
         : name == "avx2"  ? vectorizer::Isa::Avx2
         : name == "sse42" ? vectorizer::Isa::Sse42
                           : vectorizer::Isa::Host;
}

// Returns the name if LLVM knows the processor. Otherwise returns "" and adds a warning to `messages`.
std::string knownProcessor(const std::string &name, std::string &messages) {
  if (name.empty())
    return name;
  const std::vector<std::string> known = vectorizer::knownProcessors();
  if (std::find(known.begin(), known.end(), name) != known.end())
    return name;
  messages += "LaneCL: LANECL_CPU=" + name + " is ignored; legal values: " + listed(known) + "\n";
  return {};
}

// Adds a warning if the settings ask for an instruction set that the target lacks. Wider sets have smaller numbers in
// vectorizer::Isa.
void checkIsa(const Settings &settings, const vectorizer::CodeTarget &wanted, std::string &messages) {
  const vectorizer::TargetDescription got = describe(wanted);
  if (wanted.isa == vectorizer::Isa::Host || wanted.isa >= got.isa)
    return;
  messages += "LaneCL: LANECL_ISA=" + settings.isa +
              " is ignored: " + (wanted.cpu.empty() ? "this processor (" + got.cpu + ")" : got.cpu) + " has " +
              vectorizer::isaName(got.isa) +
              " at most; set LANECL_CPU=" + (wanted.isa == vectorizer::Isa::Avx512 ? "x86-64-v4" : "x86-64-v3") +
              " to compile for a processor that has it, whether or not this machine does\n";
}

// Sets the profiler to which the code of kernels is reported. VTune can only be set in a program that VTune started;
// its environment variable INTEL_JIT_PROFILER64 is defined there.
void setProfiler(const std::string &name, vectorizer::Settings &config, std::string &messages) {
  if (name == "perf")
    config.profiler = vectorizer::Profiler::Perf;
  if (name != "vtune")
    return;
  if (const char *collector = secure_getenv("INTEL_JIT_PROFILER64")) {
    config.profiler = vectorizer::Profiler::VTune;
    config.vtune_collector = collector;
  } else {
    messages += "LaneCL: LANECL_PROFILE=vtune is ignored: VTune did not start this program; run it with "
                "vtune -collect hotspots -- PROGRAM\n";
  }
}

} // namespace

std::string listed(const std::vector<std::string> &names) {
  std::string result;
  for (const std::string &name : names)
    result += (result.empty() ? "" : ", ") + name;
  return result;
}

std::string debugOptions(const Settings &settings) {
  if (settings.debug.empty())
    return {};
  return settings.debug == "optimized" ? " -g" : " -g -cl-opt-disable";
}

static vectorizer::LeftOutPasses leftOut(const Settings &settings) {
  vectorizer::LeftOutPasses result;
  std::istringstream names(settings.skip_passes);
  for (std::string name; std::getline(names, name, ',');)
    result.names.push_back(name);
  if (!settings.bisect.empty())
    result.last_run = std::stoi(settings.bisect);
  return result;
}

vectorizer::Settings vectorizerConfig(const Settings &settings, std::string &messages) {
  vectorizer::Settings config;
  config.target = {isaNamed(settings.isa), knownProcessor(settings.cpu, messages)};
  checkIsa(settings, config.target, messages);
  config.dump_directory = settings.dump_dir;
  config.keep_functions = settings.keep_functions;
  config.left_out = leftOut(settings);
  vectorizer::makeInternalErrorsFatal(settings.strict);
  setProfiler(settings.profile, config, messages);
  return config;
}

const vectorizer::Settings &vectorizerConfig() {
  static constinit MadeOnce<vectorizer::Settings> instance;
  return instance.get([] {
    std::string messages;
    vectorizer::Settings config = vectorizerConfig(settings(), messages);
    std::fputs(messages.c_str(), stderr);
    return config;
  });
}

} // namespace lanecl::icd
