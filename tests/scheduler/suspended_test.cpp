// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-groups that return before they are done, because they wait for others.
#include "fixture.h"
#include "scheduler/batch.h"

#include <catch2/catch.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

constexpr uint64_t kGroups = 200;

std::mutex mutex;
std::vector<std::string> places;

void report(const Hang &hang) {
  const std::lock_guard lock(mutex);
  places.push_back(hang.place);
}

const Suspension kSuspension{.report = report, .report_after = 1};

// Which work-groups are done. Work-group i waits for work-group i + 1.
struct Chain {
  std::atomic<bool> done[kGroups + 1] = {};
  std::atomic<int> wrong{0}, calls{0};
};

// Each work-group waits for the next one. It keeps its number in its scratch memory, which shows that the memory is its
// own.
void waitForNext(const abi::LaunchInfo *info, const abi::WorkerMemory *worker, const uint64_t *, uint64_t x,
                 uint64_t x_end, uint64_t, uint64_t) {
  Chain &chain = stateOf<Chain>(info);
  ++chain.calls;
  chain.wrong += x_end != x + 1 || worker->suspension == nullptr;
  if (worker->suspension->waits == 0)
    std::memcpy(worker->scratch, &x, sizeof x);
  chain.wrong += std::memcmp(worker->scratch, &x, sizeof x) != 0;
  *worker->suspension = {};
  if (chain.done[x + 1])
    chain.done[x] = true;
  else
    *worker->suspension = {.waits = 1, .moved = 0, .sub_group = 3, .rounds = 1, .place = "here:1"};
}

Launch chainOf(Chain &chain) {
  Launch launch = makeLaunch(waitForNext, {kGroups, 1, 1}, {1, 1, 1}, &chain);
  launch.scratch_bytes = 64;
  launch.waiting = &kSuspension;
  return launch;
}

// Launches a chain and checks that all of its work-groups end, because suspended ones make room for others.
void checkWithEachThreadCount(abi::WorkGroupFunction entry, const Suspension &waiting) {
  for (const unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    Chain chain;
    chain.done[kGroups] = true;
    Launch launch = chainOf(chain);
    launch.entry = entry;
    launch.waiting = &waiting;
    const DependencyPtr event = queue->enqueue(std::move(launch), {});
    event->wait();
    CHECK(event->status() == kComplete);
    CHECK(chain.done[0]);
    CHECK(chain.wrong == 0);
  }
}

} // namespace

TEST_CASE("work-groups wait for later ones, with any number of threads", "[suspended]") {
  checkWithEachThreadCount(waitForNext, kSuspension);
}

TEST_CASE("work-groups of a batch wait for later ones", "[suspended]") {
  for (const unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder);
    Chain first, second;
    first.done[kGroups] = second.done[kGroups] = true;
    const BatchPtr batch = makeBatch({{prepare(chainOf(first))}, {prepare(chainOf(second))}});
    const DependencyPtr event = queue->enqueue(batch, {});
    event->wait();
    CHECK(event->status() == kComplete);
    CHECK(first.done[0]);
    CHECK(second.done[0]);
    CHECK(first.wrong + second.wrong == 0);
  }
}

namespace {

constexpr uint64_t kNoGroup = ~uint64_t{0};
thread_local uint64_t noted = kNoGroup; // the work-group that the thread runs

// A record that keeps a thread-local variable for a work-group while the work-group is suspended.
class Note final : public GroupRecord {
public:
  void swapWithThread() noexcept override { std::swap(noted, own); }

private:
  uint64_t own = kNoGroup;
};

const Suspension kSuspensionNoted{
    .report = report, .report_after = 1, .makeRecord = [] { return std::unique_ptr<GroupRecord>(new Note); }};

// Does the same as waitForNext(), and checks that `noted` is the work-group's own whenever it runs.
void waitForNextAndNote(const abi::LaunchInfo *info, const abi::WorkerMemory *worker, const uint64_t *size, uint64_t x,
                        uint64_t x_end, uint64_t y, uint64_t z) {
  const bool begins = worker->suspension->waits == 0;
  stateOf<Chain>(info).wrong += noted != (begins ? kNoGroup : x);
  noted = x;
  waitForNext(info, worker, size, x, x_end, y, z);
  if (worker->suspension->waits == 0)
    noted = kNoGroup;
}

} // namespace

TEST_CASE("the record of a work-group is there again when it is resumed", "[suspended]") {
  checkWithEachThreadCount(waitForNextAndNote, kSuspensionNoted);
  CHECK(noted == kNoGroup);
}

TEST_CASE("a launch without progress is reported once and goes on", "[suspended]") {
  places.clear();
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  Chain chain;
  const DependencyPtr event = queue->enqueue(chainOf(chain), {});
  queue->flush();
  const auto named = [] {
    const std::lock_guard lock(mutex);
    return places.size();
  };
  CHECK(eventually([&] { return named() == 1; }));
  CHECK(event->status() > kComplete);
  chain.done[kGroups] = true;
  event->wait();
  CHECK(event->status() == kComplete);
  CHECK(places == std::vector<std::string>{"here:1"});
}

TEST_CASE("work-groups wait for commands of other queues, which may be more urgent", "[suspended]") {
  for (const unsigned threads : kThreadCounts)
    for (const Priority priority : {Priority::Low, Priority::Medium}) {
      auto device = makeDevice(threads);
      auto queue = device->createQueue(Order::InOrder, Timing::Off, priority);
      auto other = device->createQueue(Order::InOrder);
      Chain chain;
      const DependencyPtr event = queue->enqueue(chainOf(chain), {});
      queue->flush();
      CHECK(eventually([&] { return chain.calls > int(kGroups); })); // then all threads have groups that wait
      const DependencyPtr releases = other->enqueue([&] { return chain.done[kGroups] = true, kComplete; }, {});
      other->flush();
      CHECK(eventually([&] { return releases->status() == kComplete; }));
      chain.done[kGroups] = true;
      CHECK(eventually([&] { return event->status() == kComplete; }));
      CHECK(chain.wrong == 0);
    }
}

namespace {

// Each work-group waits, and makes progress while it does.
void getOn(const abi::LaunchInfo *info, const abi::WorkerMemory *worker, const uint64_t *, uint64_t x, uint64_t,
           uint64_t, uint64_t) {
  Chain &chain = stateOf<Chain>(info);
  ++chain.calls;
  *worker->suspension = {};
  if (!chain.done[kGroups])
    *worker->suspension = {.waits = 1, .moved = 1, .sub_group = 0, .rounds = 1, .place = "here:1"};
  chain.done[x] = true;
}

} // namespace

TEST_CASE("work-groups that make progress for ever give way to urgent commands", "[suspended]") {
  for (const unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    auto queue = device->createQueue(Order::InOrder, Timing::Off, Priority::Low);
    auto urgent = device->createQueue(Order::InOrder, Timing::Off, Priority::High);
    Chain chain;
    Launch launch = chainOf(chain);
    launch.entry = getOn;
    const DependencyPtr event = queue->enqueue(std::move(launch), {});
    queue->flush();
    CHECK(eventually([&] { return chain.calls > int(kGroups); }));
    const DependencyPtr releases = urgent->enqueue([&] { return chain.done[kGroups] = true, kComplete; }, {});
    urgent->flush();
    CHECK(eventually([&] { return releases->status() == kComplete; }));
    chain.done[kGroups] = true;
    CHECK(eventually([&] { return event->status() == kComplete; }));
  }
}

namespace {

// A condition that several work-groups wait for until the host or another launch makes it true.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<unsigned> begun{0}; // number of work-groups that wait for it
};

const Suspension kSuspensionUnreported{};

void waitForGate(const abi::LaunchInfo *info, const abi::WorkerMemory *worker, const uint64_t *, uint64_t, uint64_t,
                 uint64_t, uint64_t) {
  Gate &gate = stateOf<Gate>(info);
  gate.begun += worker->suspension->waits == 0;
  *worker->suspension = {};
  if (!gate.open)
    *worker->suspension = {.waits = 1, .moved = 0, .sub_group = 0, .rounds = 1, .place = "here:1"};
}

void openGate(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t, uint64_t, uint64_t,
              uint64_t) {
  stateOf<Gate>(info).open = true;
}

// Commands of more queues than there are threads wait for a launch that is enqueued after them. `enqueueWaiting(queue,
// gate)` enqueues one and returns its event.
template <typename EnqueueWaiting> void checkQueuesThatWait(EnqueueWaiting enqueueWaiting) {
  for (const unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    const unsigned count = 2 * device->threads() + 2;
    Gate gate;
    std::vector<std::shared_ptr<Queue>> queues;
    std::vector<DependencyPtr> waiting;
    for (unsigned i = 0; i < count; ++i) {
      queues.push_back(device->createQueue(Order::InOrder));
      waiting.push_back(enqueueWaiting(*queues.back(), gate));
      queues.back()->flush();
    }
    CHECK(eventually([&] { return gate.begun == count; }));
    auto last = device->createQueue(Order::InOrder);
    const DependencyPtr opens = last->enqueue(makeLaunch(openGate, {1, 1, 1}, {1, 1, 1}, &gate), {});
    last->flush();
    CHECK(eventually([&] { return opens->status() == kComplete; }));
    gate.open = true;
    for (const DependencyPtr &event : waiting)
      CHECK(eventually([&] { return event->status() == kComplete; }));
  }
}

Launch waitingFor(Gate &gate) {
  Launch launch = makeLaunch(waitForGate, {1, 1, 1}, {1, 1, 1}, &gate);
  launch.waiting = &kSuspensionUnreported;
  return launch;
}

} // namespace

TEST_CASE("a waiting host thread is not held up by launches that wait for its next command", "[suspended]") {
  for (const bool in_batch : {false, true})
    for (const unsigned threads : kThreadCounts) {
      auto device = makeDevice(threads);
      auto queue = device->createQueue(Order::InOrder), other = device->createQueue(Order::InOrder);
      Gate gate;
      std::atomic<bool> goes_on{false};
      DependencyPtr waiting;
      std::thread host([&] {
        waiting = in_batch ? queue->enqueue(makeBatch({{prepare(waitingFor(gate))}}), {})
                           : queue->enqueue(waitingFor(gate), {});
        other->enqueue(makeLaunch([](auto...) {}, {1, 1, 1}, {1, 1, 1}), {})->wait();
        goes_on = true;
      });
      CHECK(eventually([&] { return goes_on.load(); }));
      gate.open = true;
      host.join();
      waiting->wait();
      CHECK(waiting->status() == kComplete);
    }
}

TEST_CASE("launches of many queues wait for a later one", "[suspended]") {
  checkQueuesThatWait([](Queue &queue, Gate &gate) { return queue.enqueue(waitingFor(gate), {}); });
}

TEST_CASE("batches of many queues wait for a later launch", "[suspended]") {
  checkQueuesThatWait(
      [](Queue &queue, Gate &gate) { return queue.enqueue(makeBatch({{prepare(waitingFor(gate))}}), {}); });
}
