// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures nanoseconds per launch, without OpenCL around it. Each figure is the median of several rounds.
#include "fixture.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

// A work-group that does nothing, so that only the launch's overhead is measured.
void empty(const abi::LaunchInfo *, const abi::WorkerMemory *, const uint64_t *, uint64_t, uint64_t, uint64_t,
           uint64_t) {}

// A work-group that takes about a microsecond.
void someWork(const abi::LaunchInfo *, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin, uint64_t x_end,
              uint64_t, uint64_t) {
  volatile uint64_t sum = 0;
  for (uint64_t i = 0; i < (x_end - x_begin) * 1000; ++i)
    sum = sum + i;
}

// Prints the time that `round` takes, divided by `count`: median, best and worst of 31 rounds. With `from_sleep`, each
// round starts after a pause in which the workers fall asleep.
void report(const char *name, int count, const std::function<void()> &round, bool from_sleep = false) {
  std::vector<double> times;
  round();
  for (int i = 0; i < 31; ++i) {
    if (from_sleep)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const uint64_t begin = nanoseconds();
    round();
    times.push_back(static_cast<double>(nanoseconds() - begin) / count);
  }
  std::sort(times.begin(), times.end());
  std::printf("%-58s median %9.0f ns   best %9.0f   worst %9.0f\n", name, times[15], times.front(), times.back());
}

// Measures launches on a device with that many threads; 0: one for each processor.
void measure(unsigned threads) {
  auto device = makeDevice(threads);
  auto in_order = device->createQueue(Order::InOrder), out_of_order = device->createQueue(Order::OutOfOrder);
  std::printf("%u threads\n", device->threads());
  const auto launches = [](Queue &queue, int count, abi::WorkGroupFunction entry, uint64_t groups) {
    static std::map<std::pair<abi::WorkGroupFunction, uint64_t>, LaunchHistory> histories;
    LaunchHistory &history = histories[{entry, groups}];
    for (int i = 0; i < count; ++i) {
      Launch launch = makeLaunch(entry, {groups, 1, 1}, {1, 1, 1});
      launch.history = &history;
      queue.enqueue(std::move(launch), {});
    }
    queue.finish();
  };
  report("empty launch, in order, 1000 then finish", 1000, [&] { launches(*in_order, 1000, empty, 1); });
  report("empty launch of 64 groups, in order, 1000 then finish", 1000, [&] { launches(*in_order, 1000, empty, 64); });
  report("empty launch, out of order, 1000 then finish", 1000, [&] { launches(*out_of_order, 1000, empty, 1); });
  report("empty launch, chain of 1000 by wait lists", 1000, [&] {
    std::vector<DependencyPtr> before;
    for (int i = 0; i < 1000; ++i)
      before = {out_of_order->enqueue(makeLaunch(empty, {1, 1, 1}, {1, 1, 1}), before)};
    before[0]->wait();
  });
  report("empty launch and finish, each", 200, [&] {
    for (int i = 0; i < 200; ++i)
      launches(*in_order, 1, empty, 1);
  });
  report("empty launch and finish, workers asleep", 1, [&] { launches(*in_order, 1, empty, 1); }, true);
  report("20 groups of 1 us, workers asleep", 1, [&] { launches(*in_order, 1, someWork, 20); }, true);
  report("200 groups of 1 us, workers asleep", 1, [&] { launches(*in_order, 1, someWork, 200); }, true);
  report("1000 groups of 1 us, one launch", 1, [&] { launches(*in_order, 1, someWork, 1000); });
  report("20 groups of 1 us, 100 launches", 100, [&] { launches(*in_order, 100, someWork, 20); });
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1) {
    measure(static_cast<unsigned>(std::atoi(argv[1])));
    return 0;
  }
  for (unsigned threads : {1u, 0u})
    measure(threads);
}
