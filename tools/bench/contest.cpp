// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "contest.h"

#include <algorithm>
#include <chrono>

namespace bench {

namespace {

constexpr size_t kLeastSamples = 3, kMostSamples = 200;

struct Entry {
  std::unique_ptr<Case> work;
  std::vector<double> samples;
  double spent = 0;
  std::string failure;

  bool wantsMore(double budget) const {
    return work && failure.empty() && samples.size() < kMostSamples &&
           (spent < budget || samples.size() < kLeastSamples);
  }
};

// A failure on one platform becomes its result; the others go on.
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

void warmUp(Entry &entry, const Contestant &contestant) {
  if (!contestant.setUp)
    return;
  attempt(entry, [&] {
    entry.work = contestant.setUp();
    entry.work->run();
    entry.work->verify();
  });
}

void sample(Entry &entry) {
  attempt(entry, [&] {
    const auto start = std::chrono::steady_clock::now();
    entry.work->run();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    entry.samples.push_back(elapsed.count());
    entry.spent += elapsed.count();
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
  score.failure = entry.failure;
  score.samples = entry.samples.size();
  if (score.failure.empty() && !entry.samples.empty())
    score.seconds = median(entry.samples) / operations;
  return score;
}

} // namespace

std::vector<Score> compete(const Benchmark &benchmark, const std::vector<Contestant> &contestants, double budget) {
  std::vector<Entry> entries(contestants.size());
  for (size_t i = 0; i < entries.size(); ++i)
    warmUp(entries[i], contestants[i]);
  const auto wants_more = [&](const Entry &entry) { return entry.wantsMore(budget); };
  while (std::any_of(entries.begin(), entries.end(), wants_more))
    for (Entry &entry : entries)
      if (wants_more(entry))
        sample(entry);
  std::vector<Score> scores;
  for (Entry &entry : entries)
    scores.push_back(scoreOf(entry, benchmark.operations));
  return scores;
}

} // namespace bench
