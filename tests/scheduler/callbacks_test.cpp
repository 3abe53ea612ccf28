// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each callback runs exactly once, with the right status, under no lock.
#include "fixture.h"

#include <catch2/catch.hpp>
#include <mutex>

using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

TEST_CASE("callbacks run once for every status, in order", "[callbacks]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    for (int round = 0; round < 200; ++round) {
      const EventPtr gate = device->createUserEvent();
      const EventPtr event = queue->enqueue([] { return kComplete; }, {gate});
      std::mutex mutex;
      std::vector<Status> seen;
      for (Status when : {kComplete, kRunning, kSubmitted})
        event->onStatus(when, [&](Status status) {
          std::lock_guard lock(mutex);
          seen.push_back(status);
        });
      gate->setUserStatus(kComplete);
      queue->finish();
      REQUIRE(eventually([&] { return std::lock_guard(mutex), seen.size() == 3; }));
      REQUIRE(seen == std::vector<Status>{kSubmitted, kRunning, kComplete});
    }
  }
}

TEST_CASE("callbacks set while the command completes run once", "[callbacks]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  std::atomic<int> calls{0};
  for (int round = 0; round < 2000; ++round) {
    const EventPtr event = queue->enqueue([] { return kComplete; }, {});
    for (Status when : {kSubmitted, kRunning, kComplete, kComplete})
      event->onStatus(when, [&calls](Status) { ++calls; });
  }
  queue->finish();
  CHECK(eventually([&] { return calls == 8000; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(calls == 8000);
}

TEST_CASE("a late callback runs at once", "[callbacks]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  const EventPtr event = queue->enqueue([] { return kComplete; }, {});
  event->wait();
  Status got = 99;
  event->onStatus(kRunning, [&got](Status status) { got = status; });
  CHECK(got == kRunning);
}

TEST_CASE("callbacks of a failed command get its error", "[callbacks]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  const EventPtr gate = device->createUserEvent();
  const EventPtr event = queue->enqueue([] { return kComplete; }, {gate});
  std::vector<Status> seen;
  for (Status when : {kSubmitted, kRunning, kComplete})
    event->onStatus(when, [&seen](Status status) { seen.push_back(status); });
  gate->setUserStatus(-7);
  CHECK(seen == std::vector<Status>{kWaitListFailed, kWaitListFailed, kWaitListFailed});
}

TEST_CASE("a callback may use the event and throw", "[callbacks]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  const EventPtr event = device->createUserEvent();
  std::atomic<int> calls{0};
  event->onStatus(kComplete, [&](Status) {
    CHECK(event->status() == kComplete);
    CHECK_FALSE(event->setUserStatus(kComplete));
    event->onStatus(kComplete, [&calls](Status) { ++calls; });
    ++calls;
    throw 1;
  });
  CHECK(event->setUserStatus(kComplete));
  CHECK(calls == 2);
}

TEST_CASE("a callback waits for and enqueues other commands", "[callbacks]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    std::atomic<bool> finished{false};
    const EventPtr gate = device->createUserEvent();
    const EventPtr first = queue->enqueue([] { return kComplete; }, {gate});
    const EventPtr second = queue->enqueue([] { return kComplete; }, {first});
    first->onStatus(kComplete, [&](Status) {
      second->wait(); // released by the very completion that runs this callback
      for (int i = 0; i < 10; ++i)
        queue->enqueue([] { return kComplete; }, {})->wait();
      finished = true;
    });
    gate->setUserStatus(kComplete);
    CHECK(eventually([&] { return finished.load(); }));
    queue->finish();
  }
}
