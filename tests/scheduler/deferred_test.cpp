// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Short commands are left for a moment to the thread that will wait for them. They must run even if no thread does.
#include "fixture.h"

#include <catch2/catch.hpp>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

TEST_CASE("a deferred command runs although no thread waits", "[deferred]") {
  for (unsigned threads : kThreadCounts)
    for (Order order : {Order::InOrder, Order::OutOfOrder}) {
      auto device = makeDevice(threads);
      auto queue = device->createQueue(order);
      for (int i = 0; i < 50; ++i) {
        std::atomic<int> count{0};
        for (int k = 0; k < 3; ++k)
          queue->enqueue([&count] { return ++count, kComplete; }, {}, Start::Deferred);
        REQUIRE(eventually([&] { return count == 3; }));
      }
    }
}

TEST_CASE("a waiting thread finds what is deferred", "[deferred]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder), other = device->createQueue(Order::InOrder);
    int count = 0, other_count = 0; // not atomic, because the queues' order protects the counts
    for (int i = 0; i < 1000; ++i) {
      queue->enqueue([&count] { return ++count, kComplete; }, {}, Start::ByCaller)->wait();
      other->enqueue([&other_count] { return ++other_count, kComplete; }, {}, Start::Deferred);
      if (i % 7 == 0)
        other->finish();
    }
    other->finish();
    CHECK(count == 1000);
    CHECK(other_count == 1000);
  }
}

TEST_CASE("a command that depends on a deferred one runs after it", "[deferred]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder), other = device->createQueue(Order::OutOfOrder);
    for (int i = 0; i < 100; ++i) {
      int value = 0;
      const DependencyPtr first = queue->enqueue([&value] { return value = 1, kComplete; }, {}, Start::Deferred);
      const DependencyPtr second = other->enqueue([&value] { return value *= 2, kComplete; }, {first}, Start::Deferred);
      std::atomic<int> seen{0};
      other->enqueue([&] { return seen = value, kComplete; }, {second}, Start::Now);
      REQUIRE(eventually([&] { return seen == 2; }));
    }
  }
}

TEST_CASE("a deferred command gets its turn on a busy device", "[deferred]") {
  auto device = makeDevice(1);
  auto busy = device->createQueue(Order::InOrder), queue = device->createQueue(Order::InOrder);
  std::atomic<bool> begun{false}, go_on{false}, done{false};
  busy->enqueue(
      [&] {
        begun = true;
        while (!go_on)
          std::this_thread::yield();
        return kComplete;
      },
      {});
  REQUIRE(eventually([&] { return begun.load(); }));
  queue->enqueue([&] { return done = true, kComplete; }, {}, Start::Deferred);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK_FALSE(done);
  go_on = true;
  CHECK(eventually([&] { return done.load(); }));
  busy->finish();
}

TEST_CASE("a command waits for a deferred one in another queue", "[deferred]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder), other = device->createQueue(Order::InOrder);
  bool done = false;
  const DependencyPtr outer = queue->enqueue(
      [&] {
        other->enqueue([&done] { return done = true, kComplete; }, {}, Start::Deferred)->wait();
        return kComplete;
      },
      {});
  outer->wait();
  CHECK(outer->status() == kComplete);
  CHECK(done);
}

TEST_CASE("a command whose dependency has failed is not deferred", "[deferred]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder);
  const DependencyPtr gate = device->createUserEvent();
  gate->setUserStatus(-1);
  CHECK(queue->enqueue([] { return kComplete; }, {gate}, Start::Deferred)->status() == kWaitListFailed);
}

TEST_CASE("commands that are left to the host run on the waiting thread, or later without one", "[deferred]") {
  auto device = Executor::create({.threads = 1, .processors = {}, .left_to_host = true});
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto queue = device->createQueue(order);
    std::atomic<int> here{0};
    const auto note = [&, host = std::this_thread::get_id()] {
      here += std::this_thread::get_id() == host ? 1 : 100;
      return kComplete;
    };
    for (int i = 0; i < 3; ++i)
      queue->enqueue(note, {});
    queue->flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(here == 0);
    queue->finish();
    CHECK(here == 3);
    const DependencyPtr event = queue->enqueue(note, {});
    CHECK(eventually([&] { return event->status() == kComplete; }));
    CHECK(here == 103);
  }
}

TEST_CASE("short launches with a history keep their order", "[deferred]") {
  const auto body = [](const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin,
                       uint64_t x_end, uint64_t, uint64_t) { stateOf<uint64_t>(info) += x_end - x_begin; };
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    LaunchHistory history;
    uint64_t groups = 0; // not atomic: one thread runs at a time, because no launch is worth sharing
    for (int i = 0; i < 5000; ++i) {
      Launch launch = makeLaunch(body, {1, 1, 1}, {1, 1, 1}, &groups);
      launch.history = &history;
      queue->enqueue(std::move(launch), {});
      if (i % 1000 == 999)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    queue->finish();
    CHECK(groups == 5000);
    CHECK(history.groupNanoseconds() > 0);
  }
}

TEST_CASE("only some launches are measured", "[deferred]") {
  LaunchHistory history;
  CHECK(history.groupNanoseconds() == 0);
  int measured = 0;
  for (int i = 0; i < 1600; ++i)
    measured += history.measureNext();
  CHECK(history.measureNext());
  CHECK(measured >= 100);
  CHECK(measured <= 110);
  history.note(5);
  CHECK(history.groupNanoseconds() == 5);
}
