// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/guilty.h"

#include "run/worker.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

namespace lanecl::fuzz {

namespace {

std::vector<PassRun> runsIn(const std::filesystem::path &log) {
  static const std::regex line(R"(BISECT: running pass \((\d+)\) (.+?) on .*)");
  std::vector<PassRun> runs;
  std::ifstream in(log);
  std::smatch parts;
  for (std::string text; std::getline(in, text);)
    if (std::regex_match(text, parts, line))
      runs.push_back({std::stoi(parts[1]), parts[2]});
  return runs;
}

int mostRuns(const Attempt &attempt) {
  int most = 0;
  for (const PassRun &run : attempt.runs)
    most = std::max(most, run.number);
  return most;
}

// Returns the passes of the runs with this number, which differ if several kernels were compiled.
std::string passesOf(const Attempt &attempt, int number) {
  std::set<std::string> passes;
  for (const PassRun &run : attempt.runs)
    if (run.number == number)
      passes.insert(run.pass);
  std::string names;
  for (const std::string &pass : passes)
    names += (names.empty() ? "" : ", ") + pass;
  return names;
}

} // namespace

Attempt attemptWith(int last_run, const Case &test, const std::string &platform, Verdict verdict,
                    std::chrono::seconds patience, const std::filesystem::path &log) {
  Worker worker(platform, {{{"LANECL_BISECT", std::to_string(last_run)}}, log});
  worker.begin(test, patience);
  const std::vector<Finding> findings = worker.finish();
  const bool fails = std::ranges::any_of(findings, [&](const Finding &f) { return f.verdict == verdict; });
  return {fails, runsIn(log)};
}

std::string guiltyPass(const std::function<Attempt(int last_run)> &attempt) {
  const Attempt with_all = attempt(-1);
  if (!with_all.fails)
    return "it does not fail with LANECL_BISECT=-1, so the guilty pass is not known\n";
  if (attempt(0).fails)
    return "it fails without any optimization (LANECL_BISECT=0): a required pass, or none, is guilty\n";
  int right = 0, wrong = mostRuns(with_all);
  while (wrong - right > 1) {
    const int middle = right + (wrong - right) / 2;
    (attempt(middle).fails ? wrong : right) = middle;
  }
  const Attempt first = attempt(wrong);
  if (!first.fails)
    return "it does not always fail, so the guilty pass is not known\n";
  return "guilty pass: " + passesOf(first, wrong) + " (right with LANECL_BISECT=" + std::to_string(right) +
         ", fails with " + std::to_string(wrong) + ")\n";
}

} // namespace lanecl::fuzz
