// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batches: the order of stages, every work-group once, many runs at a time, memory and stack.
#include "fixture.h"
#include "scheduler/batch.h"

#include <catch2/catch.hpp>
#include <set>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

// The state of a launch that counts how often each of its groups ran, and how often a group ran although a step that it
// depends on had not.
struct Step {
  explicit Step(uint64_t count, std::vector<const Step *> before = {})
      : counts(count), after(std::move(before)), groups(count) {}

  std::vector<std::atomic<int>> counts;
  std::vector<const Step *> after;
  uint64_t groups;
  std::atomic<uint64_t> done{0}, early{0};
  std::atomic<int> slowness{0};

  uint64_t groupsThatDidNotRun(int times) const {
    uint64_t wrong = 0;
    for (const std::atomic<int> &count : counts)
      wrong += count != times;
    return wrong;
  }
};

// Counts work-groups of a step. It must not run before the steps that it depends on.
void step(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin, uint64_t x_end,
          uint64_t, uint64_t) {
  Step &self = stateOf<Step>(info);
  for (uint64_t x = x_begin; x < x_end; ++x) {
    for (const Step *before : self.after)
      // `before` must have run as many times as this step, including this run.
      self.early += before->done < before->groups * (self.done / self.groups + 1);
    if (self.slowness != 0)
      std::this_thread::sleep_for(std::chrono::microseconds(self.slowness));
    ++self.counts[x];
  }
  self.done += x_end - x_begin;
}

PreparedLaunchPtr prepareStep(Step &self) {
  return prepare(makeLaunch(step, {self.groups, 1, 1}, {1, 1, 1}, &self));
}

// Runs the batch, waits for it and returns its status.
Status runOnce(Queue &queue, const BatchPtr &batch) {
  const DependencyPtr event = queue.enqueue(batch, {});
  event->wait();
  return event->status();
}

} // namespace

TEST_CASE("the stages of a batch run one after the other, each group once", "[batch]") {
  for (unsigned threads : kThreadCounts)
    for (int slowness : {0, 20}) {
      CAPTURE(threads, slowness);
      auto device = makeDevice(threads);
      auto queue = device->createQueue(Order::InOrder);
      Step a(100), b(1), c(37, {&a, &b}), d(1, {&c}), e(200, {&d});
      for (Step *each : {&a, &b, &c, &d, &e})
        each->slowness = slowness;
      const BatchPtr batch =
          makeBatch({{prepareStep(a), prepareStep(b)}, {prepareStep(c)}, {}, {prepareStep(d)}, {prepareStep(e)}});
      const int runs = slowness == 0 ? 100 : 8;
      for (int run = 0; run < runs; ++run)
        REQUIRE(runOnce(*queue, batch) == kComplete);
      for (Step *each : {&a, &b, &c, &d, &e}) {
        CHECK(each->groupsThatDidNotRun(runs) == 0);
        CHECK(each->early == 0);
      }
    }
}

TEST_CASE("an empty batch completes", "[batch]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::OutOfOrder);
  CHECK(runOnce(*queue, makeBatch({})) == kComplete);
  CHECK(runOnce(*queue, makeBatch({{}, {}})) == kComplete);
  Step none(0);
  CHECK(runOnce(*queue, makeBatch({{prepareStep(none)}})) == kComplete);
}

TEST_CASE("a batch runs many times at once", "[batch]") {
  auto device = makeDevice(4);
  auto queue = device->createQueue(Order::OutOfOrder);
  Step a(50), b(50);
  a.slowness = b.slowness = 5;
  const BatchPtr batch = makeBatch({{prepareStep(a)}, {prepareStep(b)}});
  constexpr int kRuns = 50;
  std::vector<DependencyPtr> events;
  for (int i = 0; i < kRuns; ++i)
    events.push_back(queue->enqueue(batch, {}));
  for (const DependencyPtr &event : events) {
    event->wait();
    REQUIRE(event->status() == kComplete);
  }
  CHECK(a.groupsThatDidNotRun(kRuns) == 0);
  CHECK(b.groupsThatDidNotRun(kRuns) == 0);
}

TEST_CASE("launches of a stage run at the same time when they are known to be long", "[batch]") {
  struct Meeting {
    std::atomic<bool> expected{false};
    std::atomic<int> there{0}, missed{0};
  } meeting;
  const auto meet = [](const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t, uint64_t,
                       uint64_t, uint64_t) {
    Meeting &here = stateOf<Meeting>(info);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++here.there;
    if (here.expected)
      here.missed += !eventually([&] { return here.there % 2 == 0; });
  };
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  const auto one = [&] { return prepare(makeLaunch(meet, {1, 1, 1}, {1, 1, 1}, &meeting)); };
  const BatchPtr batch = makeBatch({{one(), one()}});
  for (int i = 0; i < 4; ++i) // these runs measure how long it takes
    REQUIRE(runOnce(*queue, batch) == kComplete);
  meeting.expected = true;
  for (int i = 0; i < 4; ++i)
    REQUIRE(runOnce(*queue, batch) == kComplete);
  CHECK(meeting.there == 16);
  CHECK(meeting.missed == 0);
}

TEST_CASE("a batch makes room for a more urgent command and goes on afterwards", "[batch]") {
  for (auto [threads, groups] : {std::pair(1u, 1u), std::pair(1u, 20u), std::pair(2u, 1u), std::pair(2u, 20u)}) {
    auto device = makeDevice(threads);
    auto low = device->createQueue(Order::InOrder, Timing::Off, Priority::Low);
    auto high = device->createQueue(Order::InOrder, Timing::Off, Priority::High);
    Step small(1), large(groups);
    small.slowness = large.slowness = 200;
    constexpr int kTimes = 100;
    BatchStages stages;
    for (int i = 0; i < kTimes; ++i) {
      stages.push_back({prepareStep(small)});
      stages.push_back({prepareStep(large)});
    }
    const DependencyPtr batch = low->enqueue(makeBatch(stages), {});
    for (uint64_t wanted : {2u, 20u, 50u}) {
      REQUIRE(eventually([&] { return small.done >= wanted; }));
      std::atomic<uint64_t> seen{0};
      const DependencyPtr urgent = high->enqueue([&] { return seen = small.done.load(), kComplete; }, {});
      REQUIRE(eventually([&] { return seen != 0; }));
      CHECK(seen < kTimes);
      urgent->wait();
    }
    batch->wait();
    CHECK(batch->status() == kComplete);
    CHECK(small.groupsThatDidNotRun(kTimes) == 0);
    CHECK(large.groupsThatDidNotRun(kTimes) == 0);
  }
}

TEST_CASE("a batch that replaces another one takes over its measured times", "[batch]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  Step a(1), b(1);
  const BatchPtr first = makeBatch({{prepareStep(a)}});
  REQUIRE(runOnce(*queue, first) == kComplete);
  const BatchPtr second = makeBatch({{prepareStep(b)}}, first);
  REQUIRE(runOnce(*queue, second) == kComplete);
  CHECK(a.groupsThatDidNotRun(1) == 0);
  CHECK(b.groupsThatDidNotRun(1) == 0);
}

TEST_CASE("a batch waits for its list, and what follows waits for the batch", "[batch]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::OutOfOrder);
  Step a(10), b(10, {&a});
  const DependencyPtr gate = device->createUserEvent();
  const DependencyPtr first = queue->enqueue(makeBatch({{prepareStep(a)}}), {gate});
  const DependencyPtr second = queue->enqueue(makeBatch({{prepareStep(b)}}), {first});
  CHECK(a.done == 0);
  gate->setUserStatus(kComplete);
  second->wait();
  CHECK(second->status() == kComplete);
  CHECK(b.early == 0);

  const DependencyPtr failing = device->createUserEvent();
  const DependencyPtr never = queue->enqueue(makeBatch({{prepareStep(a)}}), {failing});
  failing->setUserStatus(-7);
  never->wait();
  CHECK(never->status() == kWaitListFailed);
  CHECK(a.groupsThatDidNotRun(1) == 0);
}

TEST_CASE("a batch gets the most memory that any of its launches needs", "[batch]") {
  struct Needs {
    uint64_t local, scratch;
    std::atomic<int> wrong{0};
  };
  const auto use = [](const abi::LaunchInfo *info, const abi::WorkerMemory *worker, const uint64_t *, uint64_t,
                      uint64_t, uint64_t, uint64_t) {
    Needs &needs = stateOf<Needs>(info);
    needs.wrong += worker->local_bytes < needs.local || worker->scratch_bytes < needs.scratch ||
                   reinterpret_cast<uintptr_t>(info->arguments) % 128 != 0;
    std::memset(worker->local, 1, needs.local);
    std::memset(worker->scratch, 2, needs.scratch);
  };
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  Needs small{100, 50000}, large{60000, 0};
  BatchStages stages(1);
  for (Needs *needs : {&small, &large}) {
    Launch launch = makeLaunch(use, {500, 1, 1}, {1, 1, 1}, needs);
    launch.local_bytes = needs->local;
    launch.scratch_bytes = needs->scratch;
    stages[0].push_back(prepare(std::move(launch)));
  }
  CHECK(runOnce(*queue, makeBatch(stages)) == kComplete);
  CHECK(small.wrong == 0);
  CHECK(large.wrong == 0);

  Launch impossible = makeLaunch(use, {1, 1, 1}, {1, 1, 1}, &small);
  impossible.local_bytes = UINT64_MAX;
  const PreparedLaunchPtr needs_too_much = prepare(std::move(impossible));
  CHECK(runOnce(*queue, makeBatch({{needs_too_much}})) == kOutOfResources);
  auto other = device->createQueue(Order::InOrder);
  Launch deep = makeLaunch(use, {1, 1, 1}, {1, 1, 1}, &small);
  deep.stack_bytes = uint64_t{1} << 40;
  const PreparedLaunchPtr too_deep = prepare(std::move(deep));
  CHECK(runOnce(*other, makeBatch({{too_deep}})) == kOutOfResources);
}

TEST_CASE("an inconsistent launch cannot be prepared", "[batch]") {
  // There is no entry for the smaller group at the edge.
  Launch launch = makeLaunch([](auto...) {}, {10, 1, 1}, {4, 1, 1});
  const PreparedLaunchPtr prepared = prepare(std::move(launch));
  CHECK(prepared == nullptr);
}

TEST_CASE("a batch lives as long as it runs, and keeps alive what its launches keep alive", "[batch]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  const auto kept = std::make_shared<int>(1);
  const DependencyPtr gate = device->createUserEvent();
  Step a(10);
  Launch launch = makeLaunch(step, {10, 1, 1}, {1, 1, 1}, &a);
  launch.keep_alive = kept;
  BatchPtr batch = makeBatch({{prepare(std::move(launch))}});
  const DependencyPtr event = queue->enqueue(batch, {gate});
  batch.reset();
  CHECK(kept.use_count() == 2);
  gate->setUserStatus(kComplete);
  event->wait();
  CHECK(a.groupsThatDidNotRun(1) == 0);
  CHECK(eventually([&] { return kept.use_count() == 1; }));
}
