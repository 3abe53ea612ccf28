// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Queues of different priorities.
#include "fixture.h"

#include <catch2/catch.hpp>

#include <mutex>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

// Work-groups that are counted, and that take a while until they are told to hurry.
struct Slow {
  std::atomic<uint64_t> groups{0};
  std::atomic<bool> hurry{false};
};

// Takes 20 microseconds for each work-group, or no time once it is told to hurry.
void runSlowly(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t begin, uint64_t end,
               uint64_t, uint64_t) {
  for (uint64_t i = begin; i < end; ++i) {
    Slow &slow = stateOf<Slow>(info);
    const uint64_t until = nanoseconds() + 20'000;
    while (!slow.hurry && nanoseconds() < until)
      ;
    slow.groups.fetch_add(1);
  }
}

constexpr uint64_t kGroups = 4'000'000; // longer than any test, unless told to hurry

} // namespace

TEST_CASE("ready commands run in the order of their queues' priorities", "[priorities]") {
  auto device = makeDevice(1);
  auto blocker = device->createQueue(Order::InOrder);
  std::vector<std::unique_ptr<Queue>> queues;
  for (Priority priority : {Priority::Low, Priority::Medium, Priority::High})
    queues.push_back(device->createQueue(Order::OutOfOrder, Timing::Off, priority));
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> begun{false}, go_on{false};
    const DependencyPtr busy = blocker->enqueue(
        [&] {
          begun = true;
          while (!go_on)
            std::this_thread::yield();
          return kComplete;
        },
        {});
    REQUIRE(eventually([&] { return begun.load(); })); // the only thread is busy, so the other commands line up
    std::mutex mutex;
    std::vector<int> order;
    for (int i = 0; i < 12; ++i) {
      const int which = i % 3;
      queues[which]->enqueue(
          [&, which] {
            const std::lock_guard lock(mutex);
            order.push_back(which);
            return kComplete;
          },
          {});
    }
    go_on = true;
    for (const auto &queue : queues)
      queue->finish();
    CHECK(order == std::vector<int>{2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0});
    busy->wait();
  }
}

TEST_CASE("a long launch makes room for a more urgent command", "[priorities]") {
  for (unsigned threads : {1u, 2u}) {
    auto device = makeDevice(threads);
    auto low = device->createQueue(Order::InOrder, Timing::Off, Priority::Low);
    auto high = device->createQueue(Order::InOrder, Timing::Off, Priority::High);
    Slow slow;
    const DependencyPtr launch = low->enqueue(makeLaunch(runSlowly, {kGroups, 1, 1}, {1, 1, 1}, &slow), {});
    low->flush();
    REQUIRE(eventually([&] { return slow.groups > 100; }));
    for (int i = 0; i < 10; ++i) {
      std::atomic<uint64_t> seen{0};
      const DependencyPtr urgent = high->enqueue([&] { return seen = slow.groups.load(), kComplete; }, {});
      REQUIRE(eventually([&] { return seen != 0; }));
      CHECK(seen < kGroups);
      CHECK(urgent != nullptr);
    }
    CHECK(launch->status() == kRunning);
    slow.hurry = true;
    launch->wait();
    CHECK(launch->status() == kComplete);
    CHECK(slow.groups == kGroups);
  }
}

TEST_CASE("a launch that all threads have left is resumed", "[priorities]") {
  for (unsigned threads : {1u, 2u, 0u}) {
    auto device = makeDevice(threads);
    auto low = device->createQueue(Order::OutOfOrder, Timing::Off, Priority::Low);
    auto medium = device->createQueue(Order::OutOfOrder);
    auto high = device->createQueue(Order::OutOfOrder, Timing::Off, Priority::High);
    Slow first, second, third;
    const auto launchOn = [](Queue &queue, Slow &slow, uint64_t groups) {
      return queue.enqueue(makeLaunch(runSlowly, {groups, 1, 1}, {1, 1, 1}, &slow), {});
    };
    const DependencyPtr a = launchOn(*low, first, kGroups);
    REQUIRE(eventually([&] { return first.groups > 50; }));
    const DependencyPtr b = launchOn(*medium, second, kGroups);
    REQUIRE(eventually([&] { return second.groups > 20; }));
    const DependencyPtr c = launchOn(*high, third, 1000);
    c->wait();
    CHECK(b->status() == kRunning);
    CHECK(a->status() == kRunning);
    second.hurry = true;
    b->wait();
    CHECK(a->status() == kRunning);
    first.hurry = true;
    a->wait();
    CHECK(first.groups == kGroups);
    CHECK(second.groups == kGroups);
    CHECK(third.groups == 1000);
  }
}

TEST_CASE("many commands of all priorities all run", "[priorities]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    std::vector<std::unique_ptr<Queue>> queues;
    for (Priority priority : {Priority::Low, Priority::Medium, Priority::High})
      for (Order order : {Order::InOrder, Order::OutOfOrder})
        queues.push_back(device->createQueue(order, Timing::Off, priority));
    Slow slow;
    std::atomic<int> count{0};
    uint64_t groups = 0;
    for (int i = 0; i < 300; ++i) {
      Queue &queue = *queues[i % queues.size()];
      if (i % 5 == 0) {
        queue.enqueue(makeLaunch(runSlowly, {40, 1, 1}, {1, 1, 1}, &slow), {});
        groups += 40;
      } else {
        queue.enqueue([&] { return ++count, kComplete; }, {}, i % 2 ? Start::Deferred : Start::Now);
      }
    }
    for (const auto &queue : queues)
      queue->finish();
    CHECK(count == 240);
    CHECK(slow.groups == groups);
  }
}
