// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// In-order queues, out-of-order queues, markers and barriers.
#include "fixture.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

Work append(std::vector<int> &list, int value) {
  return [&list, value] {
    list.push_back(value); // no lock: the queue's order keeps this correct
    return kComplete;
  };
}

} // namespace

TEST_CASE("an in-order queue keeps its order", "[queue]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    std::vector<int> list;
    for (int i = 0; i < 2000; ++i)
      queue->enqueue(append(list, i), {});
    queue->finish();
    REQUIRE(list.size() == 2000);
    CHECK(std::is_sorted(list.begin(), list.end()));
  }
}

TEST_CASE("commands run although the host only polls", "[queue]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    std::atomic<int> count{0};
    DependencyPtr last;
    for (int round = 0; round < 20; ++round) {
      for (int i = 0; i < 10; ++i)
        last = queue->enqueue([&count] { return ++count, kComplete; }, {});
      queue->flush();
      REQUIRE(eventually([&] { return last->status() == kComplete; }));
    }
    CHECK(count == 200);
  }
}

TEST_CASE("an out-of-order queue goes on although a command is blocked", "[queue]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder);
  const DependencyPtr gate = device->createUserEvent();
  std::atomic<int> count{0};
  const DependencyPtr blocked = queue->enqueue([&count] { return count += 100, kComplete; }, {gate});
  const DependencyPtr free = queue->enqueue([&count] { return ++count, kComplete; }, {});
  free->wait();
  CHECK(count == 1);
  CHECK(blocked->status() > kRunning);
  gate->setUserStatus(kComplete);
  queue->finish();
  CHECK(count == 101);
}

TEST_CASE("a barrier separates an out-of-order queue", "[queue]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    std::atomic<int> running{0}, wrong{0};
    for (int phase = 0; phase < 50; ++phase) {
      for (int i = 0; i < 8; ++i)
        queue->enqueue(
            [&, phase] {
              if (running++ / 8 != phase)
                ++wrong;
              return kComplete;
            },
            {});
      queue->enqueueBarrier({});
    }
    queue->finish();
    CHECK(running == 400);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a marker completes after all commands before it and holds nothing up", "[queue]") {
  auto device = makeDevice(2);
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto queue = device->createQueue(order);
    const DependencyPtr gate = device->createUserEvent();
    const DependencyPtr first = queue->enqueue([] { return kComplete; }, {gate});
    const DependencyPtr marker = queue->enqueueMarker({});
    const DependencyPtr after = queue->enqueue([] { return kComplete; }, {});
    if (order == Order::OutOfOrder) {
      after->wait();
      CHECK(after->status() == kComplete);
    }
    CHECK(marker->status() > kComplete);
    gate->setUserStatus(kComplete);
    marker->wait();
    CHECK(first->status() == kComplete);
    queue->finish();
    CHECK(after->status() == kComplete);
  }
}

TEST_CASE("a marker with a list waits for that list only", "[queue]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder);
  const DependencyPtr gate = device->createUserEvent();
  const DependencyPtr blocked = queue->enqueue([] { return kComplete; }, {gate});
  const DependencyPtr free = queue->enqueue([] { return kComplete; }, {});
  const DependencyPtr marker = queue->enqueueMarker({free});
  marker->wait();
  CHECK(marker->status() == kComplete);
  CHECK(blocked->status() > kComplete);
  const DependencyPtr barrier = queue->enqueueBarrier({blocked});
  const DependencyPtr behind = queue->enqueue([] { return kComplete; }, {});
  CHECK(behind->status() == kQueued);
  gate->setUserStatus(kComplete);
  queue->finish();
  CHECK(barrier->status() == kComplete);
  CHECK(behind->status() == kComplete);
}

TEST_CASE("a gate completes when a command in its place would start", "[queue]") {
  auto device = makeDevice(1);
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto queue = device->createQueue(order);
    const DependencyPtr first = device->createUserEvent(), second = device->createUserEvent();
    const DependencyPtr blocked = queue->enqueue([] { return kComplete; }, {first});
    const DependencyPtr gate = queue->enqueueGate({});
    CHECK((gate->status() == kComplete) == (order == Order::OutOfOrder));
    const DependencyPtr closed = queue->enqueueGate({second});
    const DependencyPtr behind = queue->enqueue([] { return kComplete; }, {});
    const DependencyPtr marker = queue->enqueueMarker({});
    first->setUserStatus(kComplete);
    blocked->wait();
    gate->wait();
    CHECK(closed->status() > kComplete);
    if (order == Order::OutOfOrder)
      behind->wait();
    else
      CHECK(behind->status() > kComplete);
    CHECK(marker->status() > kComplete);
    second->setUserStatus(kComplete);
    queue->finish();
    CHECK(closed->status() == kComplete);
    CHECK(behind->status() == kComplete);
    CHECK(marker->status() == kComplete);
  }
}

TEST_CASE("markers of an empty queue are complete", "[queue]") {
  auto device = makeDevice(1);
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto queue = device->createQueue(order);
    queue->finish();
    CHECK(queue->enqueueMarker({})->status() == kComplete);
    CHECK(queue->enqueueBarrier({})->status() == kComplete);
    queue->finish();
  }
}

TEST_CASE("a queue knows what is pending", "[queue]") {
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto device = makeDevice(2);
    auto queue = device->createQueue(order);
    CHECK(queue->pending() == nullptr);
    const DependencyPtr gate = device->createUserEvent();
    std::atomic<int> done{0};
    const auto count = [&] {
      ++done;
      return kComplete;
    };
    queue->enqueue(count, {gate});
    const DependencyPtr first = queue->pending();
    queue->enqueue(count, {gate});
    const DependencyPtr all = queue->pending();
    REQUIRE(first != nullptr);
    REQUIRE(all != nullptr);
    CHECK(all->status() > kComplete);
    gate->setUserStatus(kComplete);
    first->wait();
    CHECK(done >= 1);
    all->wait();
    CHECK(done == 2);
    CHECK(queue->pending() == nullptr);
  }
}

TEST_CASE("times are in order", "[queue]") {
  auto device = makeDevice(0);
  auto queue = device->createQueue(Order::InOrder, Timing::On);
  std::vector<DependencyPtr> events;
  const uint64_t begin = nanoseconds();
  for (int i = 0; i < 100; ++i) {
    events.push_back(queue->enqueue([] { return kComplete; }, {}));
    events.push_back(queue->enqueueMarker({}));
  }
  queue->finish();
  const uint64_t end = nanoseconds();
  for (const DependencyPtr &event : events) {
    const Times times = event->times();
    CHECK(begin <= times.queued);
    CHECK(times.queued <= times.submitted);
    CHECK(times.submitted <= times.started);
    CHECK(times.started <= times.ended);
    CHECK(times.ended <= end);
  }
}

TEST_CASE("a command that fails without running has all its times", "[queue]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder, Timing::On);
  const DependencyPtr gate = device->createUserEvent();
  const DependencyPtr event = queue->enqueue([] { return kComplete; }, {gate});
  gate->setUserStatus(-1);
  const Times times = event->times();
  CHECK(times.queued <= times.submitted);
  CHECK(times.submitted == times.started);
  CHECK(times.started == times.ended);
}

TEST_CASE("a queue that is not asked for times takes none", "[queue]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder, Timing::Off);
  const DependencyPtr event = queue->enqueue([] { return kComplete; }, {});
  event->wait();
  const Times times = event->times();
  CHECK((times.queued | times.submitted | times.started | times.ended) == 0);
}

TEST_CASE("several threads enqueue into one queue", "[queue]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    int count = 0; // not atomic, because the queue's order protects it
    std::vector<std::thread> hosts;
    for (int h = 0; h < 4; ++h)
      hosts.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          queue->enqueue([&count] { return ++count, kComplete; }, {});
          if (i % 100 == 0)
            queue->finish();
        }
      });
    for (std::thread &host : hosts)
      host.join();
    queue->finish();
    CHECK(count == 2000);
  }
}
