// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/campaign.h"

#include <algorithm>
#include <cstdio>
#include <poll.h>

namespace lanecl::fuzz {

namespace {

constexpr uint64_t kBatch = 16; // kernels of one program; building it takes most of the time

} // namespace

Campaign::Campaign(const Settings &settings_) : settings(settings_), examiner(settings_.platform) {
  for (const Generator &generator : settings.generators)
    progress.push_back({generator, settings.seed});
  for (unsigned i = 0; i < settings.jobs; ++i)
    jobs.push_back({std::make_unique<Worker>(settings.platform)});
}

bool Campaign::goesOn() const {
  uint64_t failures = 0;
  for (const Progress &p : progress)
    failures += p.failures;
  return failures < settings.most_failures && (!settings.duration || Clock::now() - start < *settings.duration);
}

// Chooses the generators in turn, except those that have reached their count.
Campaign::Progress *Campaign::chooseGenerator() {
  for (size_t i = 0; i < progress.size(); ++i) {
    Progress &p = progress[turn++ % progress.size()];
    if (!settings.count || p.kernels < *settings.count)
      return &p;
  }
  return nullptr;
}

// The program's variant follows from the seeds, wherever a run starts.
Campaign::Batch Campaign::makeBatch(Progress &of) {
  Batch batch{.progress = &of};
  while (batch.samples.empty()) {
    batch.variant = variantNumber(of.next / kBatch);
    // A module has one kernel. If a program had several, and Clang could not translate it, all of its kernels would be
    // left out.
    const uint64_t kernels = settings.as_spirv ? 1 : kBatch;
    batch.variant.block_order = settings.as_spirv ? of.next + 1 : 0;
    for (uint64_t end = (of.next / kernels + 1) * kernels;
         of.next < end && (!settings.count || of.kernels < *settings.count); ++of.next) {
      std::optional<Sample> sample = generate(of.generator, settings.without, of.next);
      ++(sample ? of.kernels : of.rejected);
      if (sample)
        batch.samples.push_back(std::move(*sample));
    }
  }
  std::vector<Tested> tested;
  for (const Sample &sample : batch.samples)
    tested.push_back({&sample.kernel, &sample.outcomes});
  batch.test = makeCase(tested, batch.variant);
  return batch;
}

// Gives a free worker the next program, unless the campaign is over.
void Campaign::fill(Job &job) {
  Progress *of = goesOn() ? chooseGenerator() : nullptr;
  if (!of)
    return;
  job.batch = makeBatch(*of);
  job.worker->begin(job.batch.test, settings.patience);
}

// Waits until a worker is done or late.
void Campaign::wait() const {
  std::vector<pollfd> events;
  auto until = Clock::now() + std::chrono::seconds(10);
  for (const Job &job : jobs)
    if (job.worker->busy()) {
      events.push_back({job.worker->descriptor(), POLLIN, 0});
      until = std::min(until, job.worker->deadline());
    }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  poll(events.data(), nfds_t(events.size()), int(std::max<int64_t>(0, left)));
}

// Takes a worker's findings if it is done or late.
void Campaign::collect(Job &job) {
  pollfd event{job.worker->descriptor(), POLLIN, 0};
  if (poll(&event, 1, 0) == 0 && Clock::now() < job.worker->deadline())
    return;
  const std::vector<Finding> findings = job.worker->finish();
  if (findings.empty())
    return;
  if (findings[0].verdict == Verdict::NotTranslated)
    reject(*job.batch.progress, job.batch.samples.size());
  else
    examine(job.batch, findings);
}

// Moves kernels from those that were run to those that were rejected, because they turned out to have no translation.
void Campaign::reject(Progress &of, uint64_t kernels) {
  of.kernels -= kernels;
  of.rejected += kernels;
}

// Keeps all workers busy until the campaign is over.
unsigned Campaign::run() {
  for (bool busy = true; busy;) {
    busy = false;
    for (Job &job : jobs) {
      if (job.worker->busy())
        collect(job);
      if (!job.worker->busy())
        fill(job);
      busy |= job.worker->busy();
    }
    show(!busy);
    if (busy)
      wait();
  }
  unsigned failures = 0;
  for (const Progress &p : progress)
    failures += unsigned(p.failures);
  return failures;
}

// Prints the progress of each generator, at most every ten seconds and at the end.
void Campaign::show(bool finally) {
  const auto now = Clock::now();
  if (!finally && now - shown < std::chrono::seconds(10))
    return;
  shown = now;
  const double seconds = std::chrono::duration<double>(now - start).count();
  for (const Progress &p : progress)
    std::printf("%-10s %8llu kernels of seeds %llu to %llu, %llu too long or invalid, %llu failed, %.1f a second\n",
                p.generator.name.data(), (unsigned long long)p.kernels, (unsigned long long)settings.seed,
                (unsigned long long)p.next - 1, (unsigned long long)p.rejected, (unsigned long long)p.failures,
                double(p.kernels) / seconds);
  std::fflush(stdout);
}

} // namespace lanecl::fuzz
