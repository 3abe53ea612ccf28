// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each callback runs exactly once, with the right status and with no lock held.
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
      const DependencyPtr gate = device->createUserEvent();
      const DependencyPtr event = queue->enqueue([] { return kComplete; }, {gate});
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
    const DependencyPtr event = queue->enqueue([] { return kComplete; }, {});
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
  const DependencyPtr event = queue->enqueue([] { return kComplete; }, {});
  event->wait();
  Status got = 99;
  event->onStatus(kRunning, [&got](Status status) { got = status; });
  CHECK(got == kRunning);
}

TEST_CASE("callbacks of a failed command get its error", "[callbacks]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  const DependencyPtr gate = device->createUserEvent();
  const DependencyPtr event = queue->enqueue([] { return kComplete; }, {gate});
  std::vector<Status> seen;
  for (Status when : {kSubmitted, kRunning, kComplete})
    event->onStatus(when, [&seen](Status status) { seen.push_back(status); });
  gate->setUserStatus(-7);
  CHECK(seen == std::vector<Status>{kWaitListFailed, kWaitListFailed, kWaitListFailed});
}

TEST_CASE("a callback may use the event and throw", "[callbacks]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  const DependencyPtr event = device->createUserEvent();
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
    const DependencyPtr gate = device->createUserEvent();
    const DependencyPtr first = queue->enqueue([] { return kComplete; }, {gate});
    const DependencyPtr second = queue->enqueue([] { return kComplete; }, {first});
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

namespace {

using std::chrono::milliseconds;

// Enqueues a command with a callback. A gate holds the command until the callback is set.
DependencyPtr enqueueWith(Executor &device, Queue &queue, const std::function<void()> &callback) {
  const DependencyPtr gate = device.createUserEvent();
  DependencyPtr event = queue.enqueue([] { return kComplete; }, {gate});
  event->onStatus(kComplete, [=](Status) { callback(); });
  gate->setUserStatus(kComplete);
  return event;
}

// Enqueues 100 commands one after the other, each with a callback that takes a millisecond, and calls `wait` for each
// of them. Returns how many callbacks had returned when their `wait` did.
int callbacksReturnedBefore(Executor &device, Queue &queue, const std::function<void(Dependency &)> &wait) {
  int returned = 0;
  for (int round = 0; round < 100; ++round) {
    const auto done = std::make_shared<std::atomic<bool>>(false);
    const DependencyPtr event = enqueueWith(device, queue, [=] {
      std::this_thread::sleep_for(milliseconds(1));
      *done = true;
    });
    wait(*event);
    returned += *done;
  }
  return returned;
}

} // namespace

// The test asks for more than half of 100 callbacks, because on a busy machine a callback may take longer than the 10
// ms for which a wait waits.
TEST_CASE("a wait ends after the callbacks that are due", "[callbacks]") {
  for (unsigned threads : kThreadCounts)
    for (const Order order : {Order::InOrder, Order::OutOfOrder}) {
      auto device = makeDevice(threads);
      auto queue = device->createQueue(order);
      CHECK(callbacksReturnedBefore(*device, *queue, [&](Dependency &) { queue->finish(); }) > 50);
      CHECK(callbacksReturnedBefore(*device, *queue, [](Dependency &event) { event.wait(); }) > 50);
      CHECK(callbacksReturnedBefore(*device, *queue, [&](Dependency &) { queue->enqueueMarker({})->wait(); }) > 50);
    }
}

TEST_CASE("a wait ends before a callback that wants the waiting thread's lock", "[callbacks]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  std::mutex mutex;
  std::atomic<int> calls{0};
  for (int round = 0; round < 20; ++round) {
    const std::lock_guard lock(mutex);
    enqueueWith(*device, *queue, [&] {
      {
        const std::lock_guard own(mutex);
      }
      ++calls; // comes after the mutex was used, so the test may then destroy it
    })->wait();
    CHECK(calls <= round);
  }
  CHECK(eventually([&] { return calls == 20; }));
}

// While one callback runs, the test waits for 3000 commands whose callbacks return at once. If each wait waited for the
// long callback again, each would take 10 ms, and all of them 30 s.
TEST_CASE("a callback that takes long is waited for once", "[callbacks]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  std::atomic<bool> may_return{false}, returned{false};
  const auto begin = std::chrono::steady_clock::now();
  enqueueWith(*device, *queue, [&] {
    while (!may_return)
      std::this_thread::sleep_for(milliseconds(1));
    returned = true;
  });
  std::this_thread::sleep_for(milliseconds(20));
  for (int round = 0; round < 3000; ++round)
    enqueueWith(*device, *queue, [] {})->wait();
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  CHECK_FALSE(returned);
  may_return = true;
  CHECK(eventually([&] { return returned.load(); }));
}

// If a wait in a callback waited for this very callback, each of the 500 would take 10 ms, and all of them 5 s.
TEST_CASE("a callback waits without delay", "[callbacks]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  std::atomic<int> returned{0};
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 500; ++round) {
    enqueueWith(*device, *queue, [&] {
      queue->enqueue([] { return kComplete; }, {})->wait();
      ++returned;
    });
    REQUIRE(eventually([&] { return returned == round + 1; }));
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
}
