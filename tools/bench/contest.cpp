// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the contestants of a benchmark in turns and takes their times.
#include "contest.h"

#include <algorithm>
#include <chrono>

namespace bench {

namespace {

constexpr size_t kTurns = 4; // turns that a contestant takes when one run is short

// The state of one contestant during the contest.
struct Entry {
  std::unique_ptr<Case> work;
  std::vector<double> samples;
  double spent = 0;
  std::string missing, failure;

  bool wantsMore(const Effort &effort) const {
    return work && failure.empty() && samples.size() < effort.most &&
           (spent < effort.seconds || samples.size() < effort.least);
  }
};

// Runs a step of one contestant. An exception becomes that contestant's failure, and the others continue.
template <typename Step> void attempt(Entry &entry, Step step) {
  try {
    step();
  } catch (const cl::BuildError &error) {
    entry.failure = "the kernel did not build";
    for (const auto &[device, log] : error.getBuildLog())
      entry.failure += "\n" + log;
  } catch (const cl::Error &error) {
    entry.failure = std::string(error.what()) + " failed with error " + std::to_string(error.err());
  } catch (const std::exception &error) {
    entry.failure = error.what();
  }
}

// The plan for the reference in C++.
class Native : public Case {
public:
  Native(PlanPointer plan, Reference work) : plan(std::move(plan)), arrays(*this->plan), work(std::move(work)) {}
  void run() override { work(arrays); }
  void verify() override {
    for (const auto &[array, check] : plan->checks)
      check(arrays.bytes(array));
  }

private:
  const PlanPointer plan;
  HostArrays arrays;
  const Reference work;
};

// Returns the contestant's work, or null when there is no reference in C++ for this benchmark. The first contestant
// makes the plan for all.
std::unique_ptr<Case> setUp(const Benchmark &benchmark, const Contestant &contestant, PlanPointer &plan) {
  if (!contestant.device && !benchmark.native)
    return nullptr;
  if (!plan && benchmark.plan) {
    const auto made = std::make_shared<Plan>();
    benchmark.plan(*made);
    plan = made;
  }
  if (!contestant.device)
    return std::make_unique<Native>(plan, benchmark.native);
  return benchmark.on_device ? benchmark.on_device(*contestant.device, plan)
                             : std::make_unique<OnDevice>(*contestant.device, plan);
}

// Returns the first feature that the benchmark needs and the device lacks, or an empty text.
std::string missingOn(const Benchmark &benchmark, const Contestant &contestant) {
  const auto lacks = [&](const std::string &need) { return contestant.device && !contestant.device->has(need); };
  const auto found = std::find_if(benchmark.needs.begin(), benchmark.needs.end(), lacks);
  return found == benchmark.needs.end() ? "" : *found;
}

void warmUp(Entry &entry, const Benchmark &benchmark, const Contestant &contestant, PlanPointer &plan) {
  attempt(entry, [&] {
    entry.missing = missingOn(benchmark, contestant);
    if (!entry.missing.empty())
      return;
    entry.work = setUp(benchmark, contestant, plan);
    if (!entry.work)
      return;
    entry.work->run();
    entry.work->verify();
  });
}

double secondsOf(Case &work) {
  const auto start = std::chrono::steady_clock::now();
  work.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Takes one turn: runs the work for a part of the contestant's time and keeps the samples of the second half. The runs
// of the first half are slower, because caches and pages still hold the other contestants' data. If they counted, the
// contestant that does more runs in a turn would look faster than it is.
void takeTurn(Entry &entry, const Effort &effort) {
  attempt(entry, [&] {
    std::vector<double> runs;
    double spent = 0, before = 0;
    do {
      runs.push_back(secondsOf(*entry.work));
      spent += runs.back();
    } while (spent < effort.seconds / kTurns && runs.size() < effort.most / kTurns);
    for (const double &run : runs) {
      if (before >= spent / 2 || &run == &runs.back())
        entry.samples.push_back(run);
      before += run;
    }
    entry.spent += spent;
  });
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Score scoreOf(Entry &entry, double operations) {
  if (entry.work && entry.failure.empty())
    attempt(entry, [&] { entry.work->verify(); });
  Score score;
  score.missing = entry.missing;
  score.failure = entry.failure;
  score.samples = entry.samples.size();
  if (score.failure.empty() && !entry.samples.empty()) {
    score.seconds = median(entry.samples) / operations;
    score.fastest = *std::min_element(entry.samples.begin(), entry.samples.end()) / operations;
  }
  return score;
}

} // namespace

std::vector<Score> compete(const Benchmark &benchmark, const std::vector<Contestant> &contestants,
                           const Effort &effort) {
  std::vector<Entry> entries(contestants.size());
  PlanPointer plan;
  for (size_t i = 0; i < entries.size(); ++i)
    warmUp(entries[i], benchmark, contestants[i], plan);
  const auto wants_more = [&](const Entry &entry) { return entry.wantsMore(effort); };
  while (std::any_of(entries.begin(), entries.end(), wants_more))
    for (Entry &entry : entries)
      if (wants_more(entry))
        takeTurn(entry, effort);
  std::vector<Score> scores;
  for (Entry &entry : entries)
    scores.push_back(scoreOf(entry, benchmark.operations));
  return scores;
}

} // namespace bench
