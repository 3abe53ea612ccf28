// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How long commands, queues and devices are kept alive.
#include "core/core.h"
#include "fixture.h"
#include "queue/queue.h"

#include <catch2/catch.hpp>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

TEST_CASE("commands of a destroyed queue and device complete", "[lifetime]") {
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto device = makeDevice(1);
    auto queue = device->createQueue(order);
    const DependencyPtr gate = device->createUserEvent();
    std::atomic<int> count{0};
    DependencyPtr last;
    for (int i = 0; i < 100; ++i)
      last = queue->enqueue([&count] { return ++count, kComplete; }, {gate});
    queue.reset();
    device.reset();
    gate->setUserStatus(kComplete);
    CHECK(eventually([&] { return count == 100; }));
    last->wait();
    CHECK(last->status() == kComplete);
  }
}

TEST_CASE("a command's captures are gone when it is complete", "[lifetime]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  for (int i = 0; i < 100; ++i) {
    auto token = std::make_shared<int>(1);
    const DependencyPtr work = queue->enqueue([token] { return kComplete; }, {});
    Launch launch = makeLaunch([](auto...) {}, {256, 1, 1}, {1, 1, 1});
    launch.keep_alive = token;
    const DependencyPtr launched = queue->enqueue(std::move(launch), {});
    launched->wait();
    REQUIRE(token.use_count() == 1);
  }
}

TEST_CASE("a failed command releases what it held", "[lifetime]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  auto token = std::make_shared<int>(1);
  const DependencyPtr gate = device->createUserEvent();
  const DependencyPtr event = queue->enqueue([token] { return kComplete; }, {gate});
  CHECK(token.use_count() == 2);
  gate->setUserStatus(-1);
  CHECK(token.use_count() == 1);
}

TEST_CASE("a queue in use does not grow", "[lifetime]") {
  auto device = makeDevice(1);
  for (Order order : {Order::InOrder, Order::OutOfOrder}) {
    auto queue = device->createQueue(order);
    std::vector<std::weak_ptr<Dependency>> events;
    for (int i = 0; i < 1000; ++i) {
      const DependencyPtr event = queue->enqueue([] { return kComplete; }, {});
      events.push_back(event);
      event->wait();
    }
    CHECK(eventually([&] {
      size_t alive = 0;
      for (const auto &event : events)
        alive += !event.expired();
      return alive <= 1; // an in-order queue keeps its last one
    }));
  }
}

TEST_CASE("a device's core goes with the last reference to it", "[lifetime]") {
  for (unsigned threads : {1u, 3u})
    for (Order order : {Order::InOrder, Order::OutOfOrder}) {
      auto core = std::make_shared<Core>(threads);
      const std::weak_ptr<Core> observed = core;
      std::unique_ptr<Queue> queue = std::make_unique<DependencyQueue>(core, order, Timing::Off);
      DependencyPtr last;
      for (int i = 0; i < 100; ++i) {
        queue->enqueue([] { return kComplete; }, {});
        last = queue->enqueue(makeLaunch([](auto...) {}, {256, 1, 1}, {1, 1, 1}), {});
      }
      queue->finish();
      queue.reset();
      core.reset();
      REQUIRE_FALSE(observed.expired()); // an event can still be waited for
      last.reset();
      // Workers look for work a little longer, and their visits count as references.
      REQUIRE(eventually([&] { return observed.expired(); }));
    }
}

TEST_CASE("devices come and go", "[lifetime]") {
  for (int i = 0; i < 50; ++i) {
    auto device = makeDevice(static_cast<unsigned>(i % 3 + 1));
    auto queue = device->createQueue(Order::OutOfOrder);
    for (int k = 0; k < 20; ++k)
      queue->enqueue([] { return kComplete; }, {});
    if (i % 2 != 0)
      queue->finish();
  }
}
