// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Devices whose commands are bound to some of the processors.
#include "fixture.h"

#include <catch2/catch.hpp>

#include <mutex>
#include <sched.h>
#include <set>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

// Returns the numbers of the processors that the calling thread may run on.
std::vector<unsigned> processorsOfThisThread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<unsigned> result;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set))
      result.push_back(i);
  return result;
}

// Creates a device whose threads run only on these processors.
std::shared_ptr<Executor> makeConfined(unsigned threads, std::vector<unsigned> processors) {
  return Executor::create({.threads = threads, .processors = std::move(processors)});
}

// Collects the processor sets of the threads that take part in something.
struct Places {
  std::mutex mutex;
  std::set<std::vector<unsigned>> seen;
  void note() {
    std::vector<unsigned> here = processorsOfThisThread();
    const std::lock_guard lock(mutex);
    seen.insert(std::move(here));
  }
};

void noteGroups(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t begin, uint64_t end,
                uint64_t, uint64_t) {
  stateOf<Places>(info).note();
  for (uint64_t i = begin; i < end; ++i)
    std::this_thread::sleep_for(std::chrono::microseconds(50)); // long enough to be shared
}

} // namespace

TEST_CASE("commands run on the device's processors, whichever thread runs them", "[affinity]") {
  const std::vector<unsigned> all = processorsOfThisThread(), one{all.back()};
  for (unsigned threads : {1u, 2u}) {
    auto device = makeConfined(threads, one);
    auto queue = device->createQueue(Order::OutOfOrder);
    Places places;
    for (int i = 0; i < 20; ++i) {
      queue->enqueue([&] { return places.note(), kComplete; }, {}, i % 2 ? Start::Deferred : Start::Now);
      queue->enqueue(makeLaunch(noteGroups, {64, 1, 1}, {1, 1, 1}, &places), {});
      if (i % 5 == 0)
        queue->enqueue([&] { return places.note(), kComplete; }, {}, Start::ByCaller)->wait();
    }
    queue->finish();
    CHECK(places.seen == std::set{one});
    CHECK(processorsOfThisThread() == all);
  }
}

TEST_CASE("callbacks and the threads that they start are not bound to the device's processors", "[affinity]") {
  const std::vector<unsigned> all = processorsOfThisThread(), one{all.front()};
  auto device = makeConfined(1, one), other = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder), other_queue = other->createQueue(Order::InOrder);
  Places callbacks, commands;
  std::atomic<int> done{0};
  for (int i = 0; i < 20; ++i) {
    const DependencyPtr event = queue->enqueue([&] { return commands.note(), kComplete; }, {});
    event->onStatus(kComplete, [&](Status) {
      callbacks.note();
      std::thread([&] { callbacks.note(); }).join();
      // A wait in a callback runs other commands of the device meanwhile; these are bound again.
      queue->enqueue([&] { return commands.note(), kComplete; }, {})->wait();
      other_queue->enqueue([&] { return callbacks.note(), kComplete; }, {})->wait();
      ++done;
    });
  }
  CHECK(eventually([&] { return done == 20; }));
  queue->finish();
  CHECK(commands.seen == std::set{one});
  CHECK(callbacks.seen == std::set{all});
  CHECK(processorsOfThisThread() == all);
}

TEST_CASE("a processor that does not exist binds no thread", "[affinity]") {
  const std::vector<unsigned> all = processorsOfThisThread();
  auto device = makeConfined(1, {100'000});
  auto queue = device->createQueue(Order::InOrder);
  Places places;
  queue->enqueue([&] { return places.note(), kComplete; }, {})->wait();
  CHECK(places.seen == std::set{all});
  CHECK(processorsOfThisThread() == all);
}

TEST_CASE("commands of devices with processors of their own depend on each other", "[affinity]") {
  const std::vector<unsigned> all = processorsOfThisThread();
  std::vector<std::shared_ptr<Executor>> devices{makeDevice(0)};
  std::vector<std::unique_ptr<Queue>> queues;
  for (unsigned processor : all)
    devices.push_back(makeConfined(1, {processor}));
  for (const auto &device : devices)
    queues.push_back(device->createQueue(Order::InOrder));
  int value = 0; // not atomic, because the events order the accesses
  DependencyPtr last;
  constexpr int kRounds = 100;
  for (int i = 0; i < kRounds; ++i)
    for (const auto &queue : queues) {
      std::vector<DependencyPtr> after;
      if (last)
        after.push_back(last);
      last = queue->enqueue([&value] { return ++value, kComplete; }, after, i % 3 ? Start::Deferred : Start::Now);
    }
  last->wait();
  CHECK(value == kRounds * int(queues.size()));
}

TEST_CASE("a thread that polls leaves the processor to the command", "[affinity]") {
  constexpr int kCommands = 20;
  const unsigned only = processorsOfThisThread().back();
  auto device = makeConfined(1, {only});
  auto queue = device->createQueue(Order::InOrder);
  long polls = 0;
  std::thread([&] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(only, &set);
    REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0);
    for (int i = 0; i < kCommands; ++i) {
      const DependencyPtr event = queue->enqueue([] { return kComplete; }, {}, Start::Deferred);
      while (event->poll() > kComplete)
        ++polls;
    }
  }).join();
  // A thread that kept its processor would ask more than 100000 times before the system takes the processor away.
  CHECK(polls < kCommands * 1000);
}
