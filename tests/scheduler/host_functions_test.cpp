// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code of the host program that waits, in host functions and in callbacks, for commands of any device and for the
// program's own threads. While it waits for something other than a command of the device, the device must go on.
#include "fixture.h"
#include "threads/own_threads.h"
#include "threads/stack.h"

#include <catch2/catch.hpp>
#include <future>
#include <mutex>
#include <pthread.h>
#include <random>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

Status succeed() {
  return kComplete;
}

bool completes(const DependencyPtr &event) {
  return eventually([&] { return event->status() == kComplete; });
}

// Runs `body` on a thread with a stack of that size, whatever the default is.
template <typename Body> void onStackOf(size_t bytes, Body body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread;
  const auto run = [](void *argument) -> void * {
    (*static_cast<Body *>(argument))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &body) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

Launch launchWithStack(uint64_t bytes) {
  Launch launch = makeLaunch([](auto...) {}, {1, 1, 1}, {1, 1, 1});
  launch.stack_bytes = bytes;
  return launch;
}

} // namespace

TEST_CASE("a host function waits for a deferred command of another device", "[host_functions]") {
  for (Start start : {Start::ByCaller, Start::Deferred, Start::Now})
    for (int round = 0; round < 20; ++round) {
      auto one = makeDevice(1), two = makeDevice(1);
      auto queue = one->createQueue(Order::InOrder), other = two->createQueue(Order::InOrder);
      const DependencyPtr outer = queue->enqueueHostFunction(
          [&] {
            other->enqueue(succeed, {}, start)->wait();
            return kComplete;
          },
          {});
      REQUIRE(completes(outer)); // completes although no other thread waits
    }
}

TEST_CASE("a callback waits for a deferred command of another device", "[host_functions]") {
  for (Start start : {Start::ByCaller, Start::Deferred, Start::Now})
    for (int round = 0; round < 20; ++round) {
      auto one = makeDevice(1), two = makeDevice(1);
      auto queue = one->createQueue(Order::InOrder), other = two->createQueue(Order::InOrder);
      std::atomic<bool> done{false};
      const DependencyPtr gate = one->createUserEvent();
      const DependencyPtr first = queue->enqueue(succeed, {gate});
      first->onStatus(kComplete, [&](Status) {
        other->enqueue(succeed, {}, start)->wait();
        done = true;
      });
      std::thread([&] { gate->setUserStatus(kComplete); }).join();
      REQUIRE(eventually([&] { return done.load(); }));
    }
}

TEST_CASE("devices wait for each other alternately", "[host_functions]") {
  for (unsigned threads : {1u, 2u}) {
    auto one = makeDevice(threads), two = makeDevice(threads);
    auto queue = one->createQueue(Order::OutOfOrder), other = two->createQueue(Order::OutOfOrder);
    std::function<Status(int)> descend = [&](int depth) {
      if (depth != 0)
        (depth % 2 ? other : queue)->enqueueHostFunction([&, depth] { return descend(depth - 1); }, {})->wait();
      return kComplete;
    };
    std::vector<DependencyPtr> all;
    for (int i = 0; i < 8; ++i)
      all.push_back(queue->enqueueHostFunction([&] { return descend(12); }, {}));
    for (const DependencyPtr &event : all)
      REQUIRE(completes(event));
  }
}

// If both functions were on one stack, the first would lie below the second, and each would wait for the other.
TEST_CASE("a host function goes on while another one waits for it", "[host_functions]") {
  for (unsigned threads : {1u, 2u}) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    for (int round = 0; round < 20; ++round) {
      const DependencyPtr gate = device->createUserEvent(), signal = device->createUserEvent();
      std::atomic<int> begun{0};
      const DependencyPtr first = queue->enqueueHostFunction(
          [&] {
            ++begun;
            gate->wait();
            signal->setUserStatus(kComplete);
            return kComplete;
          },
          {});
      std::vector<DependencyPtr> others;
      for (int i = 0; i < 5; ++i)
        others.push_back(queue->enqueueHostFunction([&] { return ++begun, signal->wait(), kComplete; }, {}));
      REQUIRE(eventually([&] { return begun == 6; }));
      gate->setUserStatus(kComplete);
      REQUIRE(completes(first));
      for (const DependencyPtr &other : others)
        REQUIRE(completes(other));
    }
  }
}

TEST_CASE("a callback goes on while another one waits for it", "[host_functions]") {
  for (unsigned threads : {1u, 2u}) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    const DependencyPtr gate = device->createUserEvent(), signal = device->createUserEvent();
    std::atomic<int> begun{0}, done{0};
    const DependencyPtr first = queue->enqueue(succeed, {}), second = queue->enqueue(succeed, {});
    const auto waitFor = [&](const DependencyPtr &event, const DependencyPtr &then) {
      ++begun;
      event->wait();
      if (then)
        then->setUserStatus(kComplete);
      ++done;
    };
    std::thread one([&] { first->onStatus(kComplete, [&](Status) { waitFor(gate, signal); }); });
    std::thread two([&] { second->onStatus(kComplete, [&](Status) { waitFor(signal, nullptr); }); });
    REQUIRE(eventually([&] { return begun == 2; }));
    gate->setUserStatus(kComplete);
    REQUIRE(eventually([&] { return done == 2; }));
    one.join();
    two.join();
  }
}

// More callbacks than the device has threads wait for a lock. The commands must run all the same, because the lock is
// released after them.
TEST_CASE("callbacks that block leave the threads to the commands", "[host_functions]") {
  for (unsigned threads : {1u, 2u}) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    std::mutex mutex;
    std::atomic<int> begun{0}, done{0};
    constexpr int kCallbacks = 8;
    std::unique_lock lock(mutex);
    for (int i = 0; i < kCallbacks; ++i) {
      const DependencyPtr gate = device->createUserEvent(), event = queue->enqueue(succeed, {gate});
      event->onStatus(kComplete, [&](Status) {
        ++begun;
        {
          const std::lock_guard inside(mutex);
        }
        ++done; // comes after the mutex was used, so the test may then destroy it
      });
      const DependencyPtr opener =
          queue->enqueueHostFunction([gate] { return gate->setUserStatus(kComplete), kComplete; }, {});
      CHECK(completes(opener));
    }
    CHECK(eventually([&] { return begun == kCallbacks; }));
    CHECK(completes(queue->enqueue(succeed, {})));
    lock.unlock();
    REQUIRE(eventually([&] { return done == kCallbacks; }));
  }
}

TEST_CASE("a waiting thread runs no other code of the host program", "[host_functions]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::OutOfOrder), other = device->createQueue(Order::InOrder);
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<int> calls{0}, calls_here{0};
  const auto note = [&] {
    ++calls;
    calls_here += std::this_thread::get_id() == here;
  };
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    const DependencyPtr gate = device->createUserEvent();
    queue->enqueueHostFunction([&] { return note(), kComplete; }, {});
    const DependencyPtr event = queue->enqueue(succeed, {gate}), failing = queue->enqueue(succeed, {gate, event});
    for (Status status : {kSubmitted, kRunning, kComplete})
      event->onStatus(status, [&](Status) { note(); });
    failing->onStatus(kComplete, [&](Status) { note(); });
    other->enqueue([gate] { return gate->setUserStatus(kComplete), kComplete; }, {}, Start::ByCaller)->wait();
    other->enqueue(makeLaunch([](auto...) {}, {64, 1, 1}, {1, 1, 1}), {})->wait();
  }
  queue->finish();
  CHECK(eventually([&] { return calls == 5 * kRounds; }));
  CHECK(calls_here == 0);
}

TEST_CASE("a thread that waits may hold a lock that a host function needs", "[host_functions]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::OutOfOrder), other = device->createQueue(Order::InOrder);
  for (int round = 0; round < 100; ++round) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    const DependencyPtr blocked = queue->enqueueHostFunction([&] { return std::lock_guard(mutex), kComplete; }, {});
    const DependencyPtr called = queue->enqueue(succeed, {});
    std::atomic<bool> done{false};
    called->onStatus(kSubmitted, [&](Status) { done = true; });
    for (int i = 0; i < 3; ++i)
      other->enqueue(makeLaunch([](auto...) {}, {4, 1, 1}, {1, 1, 1}), {})->wait();
    lock.unlock();
    REQUIRE(completes(blocked));
    REQUIRE(eventually([&] { return done.load(); }));
  }
}

TEST_CASE("a launch that needs more stack than a waiting thread has runs elsewhere", "[host_functions]") {
  constexpr size_t kSmall = size_t{1} << 20, kMuch = size_t{8} << 20;
  for (unsigned threads : {1u, 2u}) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    std::vector<DependencyPtr> all;
    onStackOf(kSmall, [&] {
      for (int round = 0; round < 50; ++round) {
        const DependencyPtr gate = device->createUserEvent();
        for (uint64_t bytes : {uint64_t{0}, uint64_t{kMuch}, uint64_t{0}, uint64_t{kMuch}})
          all.push_back(queue->enqueue(launchWithStack(bytes), {gate}));
        queue->enqueue([gate] { return gate->setUserStatus(kComplete), kComplete; }, {}, Start::Deferred);
        gate->setUserStatus(kComplete);
        queue->finish();
      }
    });
    for (const DependencyPtr &event : all)
      REQUIRE(event->status() == kComplete);
  }
}

TEST_CASE("a host function waits for a launch that needs more than is left of its stack", "[host_functions]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder), other = device->createQueue(Order::InOrder);
  constexpr size_t kMuch = size_t{12} << 20;
  std::atomic<Status> status{1};
  const DependencyPtr outer = queue->enqueueHostFunction(
      [&] {
        char taken[size_t{8} << 20];
        char *volatile kept = taken; // so that the compiler keeps the array on the stack
        REQUIRE(stackLeft() < kMuch);
        const DependencyPtr inner = other->enqueue(launchWithStack(kMuch), {});
        inner->wait();
        status = inner->status();
        return kept != nullptr ? kComplete : -1;
      },
      {});
  REQUIRE(eventually([&] { return outer->status() == kComplete; }));
  CHECK(status == kComplete);
}

TEST_CASE("host functions and callbacks end their threads", "[host_functions]") {
  constexpr int kRounds = 20;
  for (unsigned threads : {1u, 2u}) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    std::atomic<int> functions{0}, callbacks{0}, commands{0};
    for (int i = 0; i < kRounds; ++i) {
      const DependencyPtr ending =
          queue->enqueueHostFunction([&]() -> Status { ++functions, pthread_exit(nullptr); }, {});
      for (Status when : {kSubmitted, kRunning, kComplete})
        ending->onStatus(when, [&](Status) {
          if (onOwnThread()) // not on the test's own thread, which calls callbacks that are due already
            ++callbacks, pthread_exit(nullptr);
          ++callbacks;
        });
      const DependencyPtr next = queue->enqueue([&] { return ++commands, kComplete; }, {});
      REQUIRE(completes(next));
      CHECK(ending->status() == kComplete);
    }
    CHECK(functions == kRounds);
    CHECK(commands == kRounds);
    CHECK(eventually([&] { return callbacks == 3 * kRounds; }));
  }
}

// After the test, the device must have all its places again, and no more.
TEST_CASE("places that were lent come back", "[host_functions]") {
  for (unsigned threads : {1u, 3u}) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::OutOfOrder);
    for (int i = 0; i < 40; ++i)
      queue->enqueueHostFunction(
          [&] {
            for (int k = 0; k < 3; ++k)
              queue->enqueueHostFunction(succeed, {})->wait();
            return kComplete;
          },
          {});
    queue->finish();
    std::atomic<unsigned> here{0};
    std::atomic<bool> go_on{false};
    for (unsigned i = 0; i < 2 * threads; ++i)
      queue->enqueueHostFunction(
          [&] {
            ++here;
            while (!go_on)
              std::this_thread::yield();
            return kComplete;
          },
          {});
    CHECK(eventually([&] { return here == threads; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(here == threads);
    go_on = true;
    queue->finish();
  }
}

namespace {

// Queues of several devices, and threads that enqueue random commands. The commands wait for other commands, set user
// events and depend on each other; some are nested in others.
class Crowd {
public:
  Crowd() {
    for (unsigned threads : {1u, 1u, 2u}) {
      devices.push_back(makeDevice(threads));
      for (Order order : {Order::InOrder, Order::OutOfOrder, Order::OutOfOrder})
        queues.push_back(devices.back()->createQueue(order));
    }
  }

  void run(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<DependencyPtr> mine;
    for (int i = 0; i < 200; ++i) {
      mine.push_back(add(random, 3));
      if (i % 7 == 0)
        mine[random() % mine.size()]->wait();
    }
    for (const DependencyPtr &event : mine)
      event->wait();
  }
  int count() const { return done; }

private:
  // Host functions wait only in out-of-order queues, where the commands that they wait for do not come after them.
  Queue &outOfOrder(std::mt19937 &random) { return *queues[random() % 3 * 3 + 1 + random() % 2]; }

  DependencyPtr add(std::mt19937 &random, int depth) {
    const unsigned seed = random();
    switch (random() % (depth > 0 ? 5 : 2)) {
    case 0: {
      constexpr Start kStarts[] = {Start::Now, Start::Deferred};
      return queues[random() % queues.size()]->enqueue([this] { return ++done, kComplete; }, {}, kStarts[seed % 2]);
    }
    case 1: {
      const DependencyPtr event = outOfOrder(random).enqueue(succeed, {}, Start::ByCaller);
      event->wait();
      return event;
    }
    case 2:
      return outOfOrder(random).enqueueHostFunction(
          [this, seed, depth] {
            std::mt19937 inner(seed);
            add(inner, depth - 1)->wait();
            return ++done, kComplete;
          },
          {});
    case 3: {
      const DependencyPtr end = devices[seed % 3]->createUserEvent();
      outOfOrder(random).enqueue(succeed, {})->onStatus(kComplete, [this, seed, depth, end](Status) {
        std::mt19937 inner(seed);
        add(inner, depth - 1)->wait();
        end->setUserStatus(kComplete);
      });
      return end;
    }
    default: {
      const DependencyPtr gate = devices[seed % 3]->createUserEvent();
      const DependencyPtr event = outOfOrder(random).enqueue(succeed, {gate}, Start::Deferred);
      outOfOrder(random).enqueueHostFunction([gate] { return gate->setUserStatus(kComplete), kComplete; }, {});
      return event;
    }
    }
  }

  std::vector<std::shared_ptr<Executor>> devices;
  std::vector<std::unique_ptr<Queue>> queues;
  std::atomic<int> done{0};
};

} // namespace

TEST_CASE("many threads wait everywhere for everything", "[host_functions]") {
  for (unsigned round = 0; round < 3; ++round) {
    Crowd crowd;
    std::vector<std::future<void>> hosts;
    for (unsigned i = 0; i < 4; ++i)
      hosts.push_back(std::async(std::launch::async, [&, i] { crowd.run(round * 4 + i); }));
    for (std::future<void> &host : hosts)
      REQUIRE(host.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
    CHECK(crowd.count() > 0);
  }
}
