// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads that create, build, run and release at random, with mistakes among it, for as long as one likes. At the end
// nothing may be lost, memory must have stayed flat, and little time may have gone by in front of locks.
//
//   soak [SECONDS [THREADS [SEED]]]
#include "jobs.h"
#include "lock_time.h"

#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <malloc.h>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace lanecl::test::soak;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kShortestJudged = 60s; // before, caches are still filling

double residentMebibytes() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

struct Failures {
  std::mutex mutex;
  size_t count = 0;
  void add(const char *job, const std::string &what) {
    const std::lock_guard lock(mutex);
    if (++count <= 20)
      fmt::print("FAILED: {}: {}\n", job, what);
  }
};

struct Job {
  const char *name;
  void (*run)(Shared &, Random &);
};
constexpr Job kJobs[] = {{"commands", runCommands},
                         {"programs", buildPrograms},
                         {"user event", waitForUserEvent},
                         {"own context", useOwnContext},
                         {"mistakes", makeMistakes}};

void work(Shared &shared, uint64_t seed, Clock::time_point end, Failures &failures) {
  Random random(seed);
  while (Clock::now() < end) {
    const Job &job = kJobs[below(random, std::size(kJobs))];
    try {
      job.run(shared, random);
    } catch (const std::exception &e) {
      failures.add(job.name, e.what());
    }
    ++shared.tally.jobs;
  }
}

// The largest sizes in the second and in the last of ten parts of the time.
struct MemoryUse {
  double early = 0, late = 0;
};

MemoryUse watchMemory(Clock::time_point start, Clock::time_point end) {
  MemoryUse use;
  int printed = 0;
  for (auto now = start; now < end; now = Clock::now()) {
    const int part = int(10 * (now - start) / (end - start));
    const double size = residentMebibytes();
    if (part == 1)
      use.early = std::max(use.early, size);
    if (part == 9)
      use.late = std::max(use.late, size);
    if (part > printed)
      fmt::print(stderr, "{} %: {:.1f} MiB\n", 10 * (printed = part), size);
    std::this_thread::sleep_for(std::min<Clock::duration>(200ms, (end - start) / 50));
  }
  return use;
}

bool isEven(const char *what, uint64_t asked, uint64_t come) {
  fmt::print("{}: {} of {}\n", what, come, asked);
  return asked == come;
}

// Callbacks may come a little later than what they tell of.
template <class F> void waitUntil(F condition) {
  for (int i = 0; i < 1000 && !condition(); ++i)
    std::this_thread::sleep_for(10ms);
}

} // namespace

int main(int argc, char **argv) {
  const auto argument = [&](int index, uint64_t standard) {
    return argc > index ? std::strtoull(argv[index], nullptr, 10) : standard;
  };
  const auto length = std::chrono::seconds(argument(1, 10));
  const auto threads_count = argument(2, 8), seed = argument(3, std::random_device{}());
  fmt::print("soak: {} s, {} threads, seed {}\n", length.count(), threads_count, seed);
  // Threads that come and go spread what is freed over malloc's arenas: with several of them the size in memory grows
  // for hours while no more is allocated.
  mallopt(M_ARENA_MAX, 1);
  Tally tally;
  Failures failures;
  MemoryUse use;
  const auto start = Clock::now(), end = start + length;
  {
    Shared shared(tally);
    std::vector<std::thread> threads;
    for (uint64_t i = 0; i < threads_count; ++i)
      threads.emplace_back([&, i] { work(shared, seed + i, end, failures); });
    use = watchMemory(start, end);
    for (std::thread &thread : threads)
      thread.join();
  }
  waitUntil(
      [&] { return tally.contexts_gone == tally.contexts_made && tally.callbacks_heard == tally.callbacks_asked; });

  const double in_locks = std::chrono::duration<double>(timeInLocks()) /
                          (std::chrono::duration<double>(Clock::now() - start) * double(threads_count));
  fmt::print("{} jobs, {} commands, {} builds, {} refusals as expected\n", tally.jobs.load(), tally.commands.load(),
             tally.builds.load(), tally.refusals.load());
  bool good = failures.count == 0;
  good &= isEven("callbacks heard", tally.callbacks_asked, tally.callbacks_heard);
  good &= isEven("contexts gone", tally.contexts_made, tally.contexts_gone);
  fmt::print("memory: {:.1f} MiB early, {:.1f} MiB late\nin front of locks: {:.2f} % of the threads' time\n", use.early,
             use.late, 100 * in_locks);
  if (length >= kShortestJudged)
    good &= use.late <= use.early * 1.02 + 2 && in_locks <= 0.1;
  fmt::print("soak {}\n", good ? "passed" : "FAILED");
  return good ? 0 : 1;
}
