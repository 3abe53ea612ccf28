// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What becomes of a failure: the kernel that fails is found, reduced and kept as a file.
#include "reduce/reduce.h"
#include "run/campaign.h"
#include "run/guilty.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

namespace lanecl::fuzz {

namespace {

constexpr std::chrono::seconds kTimeToReduce{180};
constexpr std::chrono::seconds kPatienceWithHung{10}; // with a kernel that has already hung once

std::string textOf(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings)
    text += nameOf(finding.verdict) + ": " + finding.text;
  return text;
}

bool has(const std::vector<Finding> &findings, Verdict verdict) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding &f) { return f.verdict == verdict; });
}

} // namespace

// Runs one kernel alone. Returns no findings if the kernel is right, and also if its behavior is undefined and it is of
// no use.
std::vector<Finding> Campaign::runAlone(const Kernel &kernel, const Variant &variant, std::chrono::seconds patience) {
  Unguarded unguarded;
  std::vector<Outcome> outcomes;
  try {
    outcomes = evaluateLaunches(kernel, unguarded);
  } catch (const Rejected &) {
    return {};
  }
  if (!unguarded.empty())
    return {};
  examiner.begin(makeCase({{&kernel, &outcomes}}, variant), patience);
  return examiner.finish();
}

// Reduces the kernel for a limited time. Each candidate must fail in the same way.
Kernel Campaign::reduced(const Kernel &kernel, const Variant &variant, Verdict verdict) {
  const auto end = Clock::now() + kTimeToReduce;
  const auto patience = verdict == Verdict::Hung ? kPatienceWithHung : settings.patience;
  return reduce(kernel, [&](const Kernel &candidate) {
    return Clock::now() < end && has(runAlone(candidate, variant, patience), verdict);
  });
}

// Returns a line about the optimization that makes the case fail; nothing on another platform than ours.
std::string Campaign::guilty(const Case &test, Verdict verdict, const std::string &name) const {
  if (settings.platform != Settings().platform)
    return "";
  std::filesystem::create_directories(settings.folder);
  const std::filesystem::path log = settings.folder / (name + ".passes");
  const auto patience = verdict == Verdict::Hung ? kPatienceWithHung : settings.patience;
  return guiltyPass(
      [&](int last_run) { return attemptWith(last_run, test, settings.platform, verdict, patience, log); });
}

// Prints a failed case and writes it to a file in the campaign's folder.
void Campaign::keep(const Case &test, const std::string &name, const std::vector<Finding> &findings) {
  Case kept = test;
  kept.notes += textOf(findings);
  std::filesystem::create_directories(settings.folder);
  const std::filesystem::path file = settings.folder / (name + ".case");
  std::ofstream out(file);
  write(out, kept);
  out.flush();
  std::printf("FAILED %s\n%s%s%s", name.c_str(), kept.notes.c_str(), kept.source.c_str(),
              out ? ("kept in " + file.string() + "\n").c_str() : "could not be written to a file\n");
  std::fflush(stdout);
}

// Returns false if the kernel is right without the others of its program.
bool Campaign::examineAlone(Batch &batch, const Sample &sample) {
  std::vector<Finding> findings = runAlone(sample.kernel, batch.variant, settings.patience);
  if (findings.empty())
    return false;
  const Verdict verdict = findings[0].verdict;
  Variant variant = batch.variant;
  Kernel kernel = sample.kernel;
  if (settings.reduces) {
    Variant plain = variantNumber(0);
    plain.block_order = variant.block_order;
    if (has(runAlone(kernel, plain, settings.patience), verdict))
      variant = plain;
    kernel = reduced(kernel, variant, verdict);
    findings = runAlone(kernel, variant, settings.patience);
  }
  ++batch.progress->failures;
  Unguarded unguarded;
  const std::vector<Outcome> outcomes = evaluateLaunches(kernel, unguarded);
  Case test = makeCase({{&kernel, &outcomes}}, variant);
  const std::string generator(batch.progress->generator.name);
  test.notes = "generator " + generator + ", seed " + std::to_string(kernel.seed) + "\n";
  const std::string name = generator + "-" + std::to_string(kernel.seed);
  if (settings.reduces && !findings.empty())
    test.notes += guilty(test, findings[0].verdict, name);
  keep(test, name, findings);
  return true;
}

// Runs each kernel that failed without the others of its program. If none fails by itself, keeps the whole program.
void Campaign::examine(Batch &batch, const std::vector<Finding> &findings) {
  std::set<std::string> suspects;
  for (const Finding &finding : findings)
    suspects.insert(finding.kernel);
  bool found = false;
  for (const Sample &sample : batch.samples)
    if (suspects.contains(sample.kernel.name) || suspects.contains(""))
      found |= examineAlone(batch, sample);
  if (found)
    return;
  ++batch.progress->failures; // no kernel fails alone
  const std::string generator(batch.progress->generator.name), first = batch.samples[0].kernel.name;
  batch.test.notes = "generator " + generator + ", a program of several kernels\n";
  keep(batch.test, generator + "-" + first + "-and-others", findings);
}

} // namespace lanecl::fuzz
