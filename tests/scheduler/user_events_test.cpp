// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// User events, which the host completes.
#include "fixture.h"

#include <catch2/catch.hpp>

using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

TEST_CASE("a user event is set once", "[user_events]") {
  auto device = makeDevice(1);
  const DependencyPtr event = device->createUserEvent();
  CHECK(event->status() == kSubmitted);
  CHECK_FALSE(event->setUserStatus(kRunning));
  CHECK(event->setUserStatus(-3));
  CHECK_FALSE(event->setUserStatus(kComplete));
  CHECK(event->status() == -3);
  event->wait();
}

TEST_CASE("only a user event can be set", "[user_events]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  const DependencyPtr gate = device->createUserEvent();
  const DependencyPtr command = queue->enqueue([] { return kComplete; }, {gate});
  CHECK_FALSE(command->setUserStatus(kComplete));
  gate->setUserStatus(kComplete);
  command->wait();
}

TEST_CASE("several threads race to set a user event", "[user_events]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::OutOfOrder);
  for (int round = 0; round < 200; ++round) {
    const DependencyPtr event = device->createUserEvent();
    std::atomic<int> won{0}, ran{0};
    const DependencyPtr command = queue->enqueue([&ran] { return ++ran, kComplete; }, {event, event});
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] { won += event->setUserStatus(kComplete); });
    for (std::thread &thread : threads)
      thread.join();
    command->wait();
    REQUIRE(won == 1);
    REQUIRE(ran == 1);
  }
}

TEST_CASE("dependants of a destroyed user event fail", "[user_events]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  DependencyPtr gate = device->createUserEvent();
  DependencyPtr command = queue->enqueue([] { return kComplete; }, {gate});
  for (int i = 0; i < 1000; ++i)
    command = queue->enqueue([] { return kComplete; }, {});
  gate.reset();
  queue->finish();
  CHECK(command->status() == kWaitListFailed);
}

TEST_CASE("a thread sleeps for a user event that another sets", "[user_events]") {
  auto device = makeDevice(1);
  const DependencyPtr event = device->createUserEvent();
  std::thread setter([event] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    event->setUserStatus(kComplete);
  });
  event->wait();
  CHECK(event->status() == kComplete);
  setter.join();
}
