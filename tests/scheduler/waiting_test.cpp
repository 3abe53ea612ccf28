// Waiting never stops the device, not even when its only thread waits.
#include "fixture.h"

#include <catch2/catch.hpp>

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

TEST_CASE("a command on the only thread waits for what comes later", "[waiting]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder);
  auto other = device->createQueue(Order::InOrder);
  const EventPtr gate = device->createUserEvent();
  const EventPtr outer = queue->enqueue([gate] { return gate->wait(), kComplete; }, {});
  REQUIRE(eventually([&] { return outer->status() == kRunning; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(5)); // long asleep
  const EventPtr inner = other->enqueue([] { return kComplete; }, {});
  REQUIRE(eventually([&] { return inner->status() == kComplete; }));
  gate->setUserStatus(kComplete);
  REQUIRE(eventually([&] { return outer->status() == kComplete; }));
}

TEST_CASE("a command of one device waits for another device", "[waiting]") {
  auto one = makeDevice(1), two = makeDevice(1);
  auto queue = one->createQueue(Order::InOrder), other = two->createQueue(Order::InOrder);
  const EventPtr gate = two->createUserEvent();
  const EventPtr far = other->enqueue([] { return kComplete; }, {gate});
  const EventPtr near = queue->enqueue([] { return kComplete; }, {far}); // a dependency across devices
  const EventPtr waits = queue->enqueue([far] { return far->wait(), kComplete; }, {});
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
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<std::unique_ptr<Queue>> queues;
  for (int i = 0; i < 4; ++i) {
    devices.push_back(makeDevice(1));
    queues.push_back(devices.back()->createQueue(Order::InOrder));
  }
  const EventPtr gate = devices[0]->createUserEvent();
  EventPtr last = gate;
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
          const EventPtr event = queue->enqueue([&count] { return ++count, kComplete; }, {});
          if (i % 3 == 0)
            event->wait();
          if (i % 50 == 0) // let the device go to sleep
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        queue->finish();
      });
    for (std::thread &host : hosts)
      host.join();
    CHECK(count == 1200);
  }
}
