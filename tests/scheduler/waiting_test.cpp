// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Suspension never stops the device, not even when its only thread waits.
#include "fixture.h"

#include <catch2/catch.hpp>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

TEST_CASE("a command waits for other commands", "[waiting]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    std::atomic<int> count{0};
    for (int i = 0; i < 50; ++i)
      queue->enqueue(
          [&] {
            queue->enqueue([&count] { return ++count, kComplete; }, {})->wait();
            return ++count, kComplete;
          },
          {});
    queue->finish();
    CHECK(count == 100);
  }
}

TEST_CASE("a command on the only thread waits for a later event", "[waiting]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder);
  auto other = device->createQueue(Order::InOrder);
  const DependencyPtr gate = device->createUserEvent();
  const DependencyPtr outer = queue->enqueue([gate] { return gate->wait(), kComplete; }, {});
  REQUIRE(eventually([&] { return outer->status() == kRunning; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(5)); // by now the thread sleeps
  const DependencyPtr inner = other->enqueue([] { return kComplete; }, {});
  REQUIRE(eventually([&] { return inner->status() == kComplete; }));
  gate->setUserStatus(kComplete);
  REQUIRE(eventually([&] { return outer->status() == kComplete; }));
}

TEST_CASE("a command of one device waits for another device", "[waiting]") {
  auto one = makeDevice(1), two = makeDevice(1);
  auto queue = one->createQueue(Order::InOrder), other = two->createQueue(Order::InOrder);
  const DependencyPtr gate = two->createUserEvent();
  const DependencyPtr far = other->enqueue([] { return kComplete; }, {gate});
  const DependencyPtr near = queue->enqueue([] { return kComplete; }, {far}); // a dependency across devices
  const DependencyPtr waits = queue->enqueue([far] { return far->wait(), kComplete; }, {});
  std::thread setter([gate] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    gate->setUserStatus(kComplete);
  });
  queue->finish();
  setter.join();
  CHECK(near->status() == kComplete);
  CHECK(waits->status() == kComplete);
}

TEST_CASE("devices wait for each other while the host does nothing", "[waiting]") {
  std::vector<std::shared_ptr<Executor>> devices;
  std::vector<std::unique_ptr<Queue>> queues;
  for (int i = 0; i < 4; ++i) {
    devices.push_back(makeDevice(1));
    queues.push_back(devices.back()->createQueue(Order::InOrder));
  }
  const DependencyPtr gate = devices[0]->createUserEvent();
  DependencyPtr last = gate;
  for (auto &queue : queues)
    last = queue->enqueue([last] { return last->wait(), kComplete; }, {});
  REQUIRE(eventually([&] { return last->status() == kRunning; }));
  gate->setUserStatus(kComplete);
  CHECK(eventually([&] { return last->status() == kComplete; }));
}

TEST_CASE("many host threads wait for one device", "[waiting]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    std::atomic<int> count{0};
    std::vector<std::thread> hosts;
    for (int h = 0; h < 6; ++h)
      hosts.emplace_back([&] {
        auto queue = device->createQueue(Order::InOrder);
        for (int i = 0; i < 200; ++i) {
          const DependencyPtr event = queue->enqueue([&count] { return ++count, kComplete; }, {});
          if (i % 3 == 0)
            event->wait();
          if (i % 50 == 0) // lets the device go to sleep
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        queue->finish();
      });
    for (std::thread &host : hosts)
      host.join();
    CHECK(count == 1200);
  }
}

namespace {

// Takes 20 microseconds for each work-group until `hurry` is set.
void runUntilHurried(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t begin,
                     uint64_t end, uint64_t, uint64_t) {
  auto &hurry = stateOf<std::atomic<bool>>(info);
  for (uint64_t i = begin; i < end; ++i) {
    const uint64_t until = nanoseconds() + 20'000;
    while (!hurry && nanoseconds() < until)
      ;
  }
}

} // namespace

TEST_CASE("a waiting thread leaves a shared launch when its wait is over", "[waiting]") {
  for (int round = 0; round < 5; ++round) {
    auto device = makeDevice(2);
    auto queue = device->createQueue(Order::InOrder), other = device->createQueue(Order::InOrder);
    std::atomic<bool> release{false}, hurry{false};
    const DependencyPtr short_one = queue->enqueue(
        [&] {
          while (!release)
            std::this_thread::yield();
          return kComplete;
        },
        {});
    REQUIRE(eventually([&] { return short_one->status() == kRunning; }));
    // This launch gets the only place that is left, and would take a minute.
    const DependencyPtr long_one =
        other->enqueue(makeLaunch(runUntilHurried, {4'000'000, 1, 1}, {1, 1, 1}, &hurry), {});
    std::thread releaser([&] {
      eventually([&] { return long_one->status() == kRunning; });
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      release = true;
    });
    std::thread impatient([&] {
      if (!eventually([&] { return hurry.load(); }))
        hurry = true;
    });
    short_one->wait();
    CHECK(long_one->status() == kRunning);
    hurry = true;
    long_one->wait();
    releaser.join();
    impatient.join();
  }
}

// oneTBB has one thread fewer than the device, because it counts the thread that waits.
TEST_CASE("a waiting thread joins in when there is work again", "[waiting]") {
  struct Meeting {
    unsigned all;
    std::atomic<unsigned> begun{0};
    std::atomic<bool> met{true};
  };
  auto device = makeDevice(0);
  Meeting meeting{.all = device->threads()};
  const auto meet = [](const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin,
                       uint64_t x_end, uint64_t, uint64_t) {
    auto &meeting = stateOf<Meeting>(info);
    for (; x_begin < x_end; ++x_begin) {
      ++meeting.begun;
      if (!eventually([&] { return meeting.begun == meeting.all; }))
        meeting.met = false;
    }
  };
  LaunchHistory history;
  history.note(1e6F); // long, so that all threads start together
  Launch launch = makeLaunch(meet, {meeting.all, 1, 1}, {1, 1, 1}, &meeting);
  launch.history = &history;
  const DependencyPtr gate = device->createUserEvent();
  auto queue = device->createQueue(Order::InOrder);
  const DependencyPtr event = queue->enqueue(std::move(launch), {gate});
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // until this thread sleeps
    gate->setUserStatus(kComplete);
  });
  event->wait();
  opener.join();
  CHECK(meeting.met);
}
