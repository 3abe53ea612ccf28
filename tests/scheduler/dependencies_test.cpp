// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The dependency graph: counting down, failures, long chains.
#include "fixture.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

TEST_CASE("a random graph runs each command after its dependencies", "[dependencies]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    auto other = device->createQueue(Order::OutOfOrder);
    constexpr int kCommands = 5000;
    std::vector<std::atomic<bool>> done(kCommands);
    std::vector<DependencyPtr> events;
    std::atomic<int> wrong{0};
    uint32_t seed = 7;
    for (int i = 0; i < kCommands; ++i) {
      std::vector<DependencyPtr> wait_list;
      std::vector<int> before;
      for (int d = 0; d < 3 && i > 0; ++d) {
        seed = seed * 1664525 + 1013904223;
        before.push_back(i - 1 - static_cast<int>((seed >> 8) % static_cast<uint32_t>(std::min(i, 40))));
        wait_list.push_back(events[static_cast<size_t>(before.back())]);
      }
      events.push_back((i % 2 != 0 ? queue : other)
                           ->enqueue(
                               [&, i, before] {
                                 for (int b : before)
                                   wrong += !done[static_cast<size_t>(b)];
                                 done[static_cast<size_t>(i)] = true;
                                 return kComplete;
                               },
                               wait_list));
    }
    queue->finish();
    other->finish();
    CHECK(wrong == 0);
    CHECK(std::all_of(done.begin(), done.end(), [](const auto &d) { return d.load(); }));
  }
}

TEST_CASE("a failing command fails what depends on it", "[dependencies]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::OutOfOrder);
  std::atomic<bool> ran{false};
  const DependencyPtr bad = queue->enqueue([] { return Status{-42}; }, {});
  const DependencyPtr slow = device->createUserEvent();
  const DependencyPtr child = queue->enqueue([&ran] { return ran = true, kComplete; }, {bad, slow});
  const DependencyPtr grandchild = queue->enqueueMarker({child});
  const DependencyPtr unrelated = queue->enqueue([] { return kComplete; }, {});
  bad->wait();
  CHECK(bad->status() == -42);
  CHECK(child->status() > kComplete); // the child still waits for the other one
  slow->setUserStatus(kComplete);
  grandchild->wait();
  CHECK(child->status() == kWaitListFailed);
  CHECK(grandchild->status() == kWaitListFailed);
  CHECK_FALSE(ran);
  unrelated->wait();
  CHECK(unrelated->status() == kComplete);
  const DependencyPtr late = queue->enqueue([&ran] { return ran = true, kComplete; }, {bad});
  CHECK(late->status() == kWaitListFailed);
  CHECK_FALSE(ran);
}

TEST_CASE("a failure in an in-order queue ends with finish", "[dependencies]") {
  auto device = makeDevice(1);
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto queue = device->createQueue(order);
    const DependencyPtr bad = queue->enqueue([] { return Status{-5}; }, {});
    bad->wait();
    if (order == Order::OutOfOrder)
      queue->enqueueBarrier({});
    const DependencyPtr behind = queue->enqueue([] { return kComplete; }, {});
    queue->finish();
    CHECK(behind->status() == kWaitListFailed);
    const DependencyPtr again = queue->enqueue([] { return kComplete; }, {});
    queue->finish();
    CHECK(again->status() == kComplete);
  }
}

TEST_CASE("a command that throws fails", "[dependencies]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder);
  const DependencyPtr memory = queue->enqueue([]() -> Status { throw std::bad_alloc(); }, {});
  const DependencyPtr other = queue->enqueue([]() -> Status { throw 1; }, {});
  const DependencyPtr never = queue->enqueue([] { return kRunning; }, {});
  queue->finish();
  CHECK(memory->status() == kOutOfHostMemory);
  CHECK(other->status() == kOutOfResources);
  CHECK(never->status() == kOutOfResources);
}

TEST_CASE("a chain of 100000 commands neither recurses nor keeps its finished part", "[dependencies]") {
  constexpr int kLength = 100000;
  for (Status verdict : {kComplete, Status{-1}}) {
    auto device = makeDevice(2);
    auto queue = device->createQueue(Order::InOrder);
    const DependencyPtr gate = device->createUserEvent();
    int count = 0;
    std::weak_ptr<Dependency> early = queue->enqueue([&count] { return ++count, kComplete; }, {gate});
    for (int i = 1; i < kLength; ++i)
      queue->enqueue([&count] { return ++count, kComplete; }, {});
    CHECK_FALSE(early.expired());
    gate->setUserStatus(verdict);
    queue->finish();
    CHECK(count == (verdict == kComplete ? kLength : 0));
    CHECK(eventually([&] { return early.expired(); }));
  }
}

TEST_CASE("a chain of 100000 markers completes", "[dependencies]") {
  auto device = makeDevice(1);
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto queue = device->createQueue(order);
    const DependencyPtr gate = device->createUserEvent();
    DependencyPtr last = queue->enqueueBarrier({gate});
    for (int i = 0; i < 100000; ++i)
      last = queue->enqueueBarrier({});
    CHECK(last->status() > kComplete);
    gate->setUserStatus(kComplete);
    CHECK(last->status() == kComplete);
  }
}
