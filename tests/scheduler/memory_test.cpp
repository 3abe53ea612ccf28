// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When there is no memory, commands fail, but none is lost: every wait for one ends, and the device goes on with all of
// its threads. This is a program of its own, because it replaces operator new.
#include "fixture.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

std::atomic<bool> no_memory{false}; // makes allocations of all threads fail
// How many allocations of this thread succeed before one fails; negative: none fails.
thread_local int until_failure = -1;
thread_local bool failure_happened = false; // on this thread

// Returns whether the next allocation of this thread succeeds.
bool mayAllocate() {
  if (no_memory)
    return false;
  if (until_failure < 0)
    return true;
  failure_happened |= until_failure == 0;
  return until_failure-- != 0;
}

} // namespace

void *operator new(size_t bytes) {
  void *const memory = mayAllocate() ? std::malloc(bytes) : nullptr;
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept {
  std::free(memory);
}
void operator delete(void *memory, size_t) noexcept {
  std::free(memory);
}

namespace {

Status succeed() {
  return kComplete;
}

void sleepABit(const abi::LaunchInfo *, const abi::WorkerMemory *, const uint64_t *, uint64_t begin, uint64_t end,
               uint64_t, uint64_t) {
  for (uint64_t i = begin; i < end; ++i)
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

Launch longLaunch() {
  return makeLaunch(sleepABit, {100, 1, 1}, {1, 1, 1}); // worth sharing
}

// Returns whether the device still works. Its commands need all threads at the same time.
bool works(Executor &device) {
  auto queue = device.createQueue(Order::OutOfOrder);
  std::atomic<unsigned> here{0};
  std::vector<DependencyPtr> all;
  for (unsigned i = 0; i < device.threads(); ++i)
    all.push_back(queue->enqueueHostFunction(
        [&] { return ++here, eventually([&] { return here == device.threads(); }) ? kComplete : -1; }, {}));
  queue->finish();
  return std::all_of(all.begin(), all.end(), [](const DependencyPtr &event) { return event->status() == kComplete; });
}

// Commands with all kinds of dependencies, which wait for `gate`.
struct CommandGraph {
  CommandGraph(Executor &device, const DependencyPtr &gate) {
    queues.push_back(device.createQueue(Order::InOrder));
    queues.push_back(device.createQueue(Order::OutOfOrder, Timing::On, Priority::High));
    for (const auto &queue : queues) {
      add(queue->enqueue(succeed, {gate}));
      for (int i = 0; i < 5; ++i)
        add(queue->enqueue(succeed, {events[0]}));
      add(queue->enqueue(longLaunch(), {events[1], gate}));
      add(queue->enqueueMarker({events[0], events[1]}));
      add(queue->enqueueMarker({}));
      add(queue->enqueueBarrier({}));
      add(queue->enqueueHostFunction(succeed, {gate}));
      add(queue->enqueue([] { return -30; }, {gate}));
      add(queue->enqueue(longLaunch(), {gate, events.back()}));
      for (const DependencyPtr &event : events)
        for (Status when : {kSubmitted, kRunning, kComplete})
          event->onStatus(when, [this](Status) { ++calls; });
    }
  }
  void add(DependencyPtr event) { events.push_back(std::move(event)); }
  bool done() const {
    return std::all_of(events.begin(), events.end(),
                       [](const DependencyPtr &event) { return event->status() <= kComplete; });
  }

  std::vector<std::unique_ptr<Queue>> queues;
  std::vector<DependencyPtr> events;
  std::atomic<int> calls{0};
};

} // namespace

TEST_CASE("commands end when there is no memory", "[memory]") {
  for (unsigned threads : {1u, 3u})
    for (int round = 0; round < 20; ++round) {
      auto device = makeDevice(threads);
      const DependencyPtr gate = device->createUserEvent();
      CommandGraph graph(*device, gate);
      bool all_done = true;
      no_memory = true; // no macro that allocates may follow until this is false again
      try {
        gate->setUserStatus(kComplete);
        for (const DependencyPtr &event : graph.events)
          if (round % 2 == 0)
            event->wait();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } catch (const std::bad_alloc &) {
        all_done = false;
      }
      no_memory = false;
      REQUIRE(all_done);
      REQUIRE(works(*device)); // this calls the workers that could not be called before
      REQUIRE(eventually([&] { return graph.done(); }));
      REQUIRE(eventually([&] { return graph.calls == int(3 * (graph.events.size() / 2 * 3)); }));
      REQUIRE(works(*device));
    }
}

TEST_CASE("a command that cannot be enqueued leaves nothing behind", "[memory]") {
  for (Order order : {Order::InOrder, Order::OutOfOrder})
    for (int fail = 0; fail < 12; ++fail) {
      auto device = makeDevice(2);
      auto queue = device->createQueue(order);
      const DependencyPtr gate = device->createUserEvent(), other = device->createUserEvent();
      const DependencyPtr before = queue->enqueue(succeed, {gate});
      for (int i = 0; i < 4; ++i)
        queue->enqueue(succeed, {gate, other});
      queue->enqueueMarker({});
      for (int kind = 0; kind < 4; ++kind) {
        until_failure = fail;
        try {
          switch (kind) {
          case 0: queue->enqueue(succeed, {gate, before, other}); break;
          case 1: queue->enqueue(longLaunch(), {before}); break;
          case 2: queue->enqueueMarker({}); break;
          default: queue->enqueueBarrier({gate}); break;
          }
        } catch (const std::bad_alloc &) {
        }
        until_failure = -1;
      }
      const DependencyPtr last = queue->enqueue(succeed, {});
      gate->setUserStatus(kComplete);
      other->setUserStatus(kComplete);
      REQUIRE(eventually([&] { return last->status() == kComplete; }));
      const DependencyPtr all = queue->pending();
      REQUIRE((!all || eventually([&] { return all->status() == kComplete; })));
      REQUIRE(works(*device));
    }
  CHECK(failure_happened);
}
