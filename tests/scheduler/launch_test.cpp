// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a work-group function finds: its memory, arguments, floating-point environment and stack.
#include "fixture.h"
#include "threads/stack.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <immintrin.h>
#include <mutex>
#include <set>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

void runOne(Executor &device, Launch launch, Status expected = kComplete) {
  auto queue = device.createQueue(Order::InOrder);
  const DependencyPtr event = queue->enqueue(std::move(launch), {});
  event->wait();
  REQUIRE(event->status() == expected);
}

// The memory that a launch asks for, and what its work-groups found.
struct Memory {
  uint64_t local_bytes, scratch_bytes;
  std::atomic<int> groups{0}, wrong{0};
};

// Fills the work-group's memory and checks that it is aligned, large enough and separate from other memory.
void useMemory(const abi::LaunchInfo *info, const abi::WorkerMemory *worker, const uint64_t *, uint64_t x_begin,
               uint64_t x_end, uint64_t, uint64_t) {
  Memory &memory = stateOf<Memory>(info);
  const auto aligned = [](const void *p) { return reinterpret_cast<uintptr_t>(p) % 128 == 0; };
  for (uint64_t x = x_begin; x < x_end; ++x) {
    ++memory.groups;
    memory.wrong += !aligned(worker->local) + !aligned(worker->scratch) + !aligned(info->arguments);
    memory.wrong += worker->scratch_bytes < memory.scratch_bytes;
    const int mark = static_cast<int>(x & 0x7f);
    std::memset(worker->local, mark, memory.local_bytes);
    memory.wrong +=
        worker->local < worker->scratch + memory.scratch_bytes && worker->scratch < worker->local + memory.local_bytes;
    std::memset(worker->scratch, mark + 1, memory.scratch_bytes);
    for (uint64_t i = 0; i < memory.local_bytes; i += 97)
      memory.wrong += worker->local[i] != static_cast<std::byte>(mark);
    for (uint64_t i = 0; i < memory.scratch_bytes; i += 97)
      memory.wrong += worker->scratch[i] != static_cast<std::byte>(mark + 1);
  }
}

} // namespace

TEST_CASE("local and scratch memory belong to the running work-group", "[launch]") {
  for (unsigned threads : {1u, 2u, 4u}) {
    auto device = makeDevice(threads);
    for (uint64_t bytes : {uint64_t{0}, uint64_t{100}, uint64_t{65536}, uint64_t{5} << 20, uint64_t{100}}) {
      Memory memory{bytes, bytes / 2 + 1};
      Launch launch = makeLaunch(useMemory, {200, 1, 1}, {1, 1, 1}, &memory);
      launch.local_bytes = memory.local_bytes;
      launch.scratch_bytes = memory.scratch_bytes;
      runOne(*device, std::move(launch));
      CHECK(memory.groups == 200);
      CHECK(memory.wrong == 0);
    }
  }
}

TEST_CASE("a launch without enough memory fails", "[launch]") {
  auto device = makeDevice(1);
  Launch launch = makeLaunch([](auto...) {}, {1, 1, 1}, {1, 1, 1});
  launch.local_bytes = UINT64_MAX;
  runOne(*device, std::move(launch), kOutOfResources);
}

TEST_CASE("a long launch runs on several threads", "[launch]") {
  struct Threads {
    std::mutex mutex;
    std::set<std::thread::id> ids;
  } seen;
  auto device = makeDevice(2);
  Launch launch = makeLaunch(
      [](const abi::LaunchInfo *info, auto...) {
        auto &threads = stateOf<Threads>(info);
        {
          std::lock_guard lock(threads.mutex);
          threads.ids.insert(std::this_thread::get_id());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      },
      {64, 1, 1}, {1, 1, 1}, &seen);
  runOne(*device, std::move(launch));
  CHECK(seen.ids.size() == 2);
}

TEST_CASE("groups that took long before start on all threads at once", "[launch]") {
  struct Meeting {
    bool meet = false;
    std::atomic<int> begun{0}, alone{0};
  };
  const auto body = [](const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin,
                       uint64_t x_end, uint64_t, uint64_t) {
    Meeting &meeting = stateOf<Meeting>(info);
    for (uint64_t x = x_begin; x < x_end; ++x) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++meeting.begun;
      meeting.alone += meeting.meet && !eventually([&] { return meeting.begun == 2; });
    }
  };
  auto device = makeDevice(2);
  LaunchHistory history;
  for (int i = 0; i < 5; ++i) { // the first four are measured, starting with one group
    Meeting meeting;
    meeting.meet = i == 4;
    Launch launch = makeLaunch(body, {2, 1, 1}, {1, 1, 1}, &meeting);
    launch.history = &history;
    runOne(*device, std::move(launch));
    CHECK(meeting.begun == 2);
    CHECK(meeting.alone == 0);
  }
}

TEST_CASE("a launch whose threads hinder each other runs on one thread", "[launch]") {
  struct Lines {
    std::atomic<int> users{0}, meetings{0};
  } lines;
  const auto body = [](const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin,
                       uint64_t x_end, uint64_t, uint64_t) {
    Lines &used = stateOf<Lines>(info);
    for (uint64_t x = x_begin; x < x_end; ++x) {
      const bool meets = ++used.users > 1;
      used.meetings += meets;
      const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(meets ? 1000 : 20);
      while (std::chrono::steady_clock::now() < end)
        meets ? std::this_thread::sleep_for(std::chrono::microseconds(100)) : std::this_thread::yield();
      --used.users;
    }
  };
  auto device = makeDevice(2);
  LaunchHistory history;
  int launches = 0;
  do {
    lines.meetings = 0;
    Launch launch = makeLaunch(body, {64, 1, 1}, {1, 1, 1}, &lines);
    launch.updates_atomically = true;
    launch.history = &history;
    runOne(*device, std::move(launch));
  } while ((!history.threadsHinderEachOther() || lines.meetings != 0) && ++launches < 200);
  CHECK(lines.meetings == 0);
}

TEST_CASE("threads hinder each other when they are slower than one", "[launch]") {
  LaunchHistory history;
  CHECK_FALSE(history.threadsHinderEachOther());
  history.noteShared(100, 2);
  CHECK_FALSE(history.threadsHinderEachOther()); // there is no time of one thread alone to compare with
  history.noteAlone(20);
  history.noteShared(39, 2);
  CHECK_FALSE(history.threadsHinderEachOther());
  history.noteShared(41, 2);
  CHECK(history.threadsHinderEachOther());
  history.noteShared(41, 4);
  CHECK_FALSE(history.threadsHinderEachOther());
}

TEST_CASE("never more groups at a time than threads", "[launch]") {
  struct Count {
    std::atomic<int> now{0}, most{0};
  } count;
  const auto body = [](const abi::LaunchInfo *info, auto...) {
    Count &c = stateOf<Count>(info);
    const int now = ++c.now;
    for (int most = c.most; most < now && !c.most.compare_exchange_weak(most, now);)
      ;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    --c.now;
  };
  for (unsigned threads : {1u, 2u, 3u}) {
    count.most = 0;
    auto device = makeDevice(threads);
    std::vector<std::thread> hosts;
    for (int h = 0; h < 4; ++h)
      hosts.emplace_back([&] { // without Catch2, whose macros are for one thread only
        device->createQueue(Order::InOrder)->enqueue(makeLaunch(body, {100, 1, 1}, {1, 1, 1}, &count), {})->wait();
      });
    for (std::thread &host : hosts)
      host.join();
    CHECK(count.most <= static_cast<int>(threads));
  }
}

TEST_CASE("kernels keep denormals whatever the host does", "[launch]") {
  struct Result {
    std::atomic<unsigned> settings{0};
    std::atomic<bool> flushed{false};
  } result;
  auto device = makeDevice(1);
  const unsigned before = _mm_getcsr();
  for (int i = 0; i < 50; ++i) {
    _mm_setcsr(0x1f80 | 0x8040 | 0x6000); // flush to zero, denormals are zero, round toward zero
    auto queue = device->createQueue(Order::InOrder);
    queue->enqueue(makeLaunch(
                       [](const abi::LaunchInfo *info, auto...) {
                         volatile float tiny = 1e-38f;
                         Result &r = stateOf<Result>(info);
                         r.settings = _mm_getcsr() & ~0x3fu;
                         r.flushed = tiny * 0.25f == 0.0f;
                       },
                       {1, 1, 1}, {1, 1, 1}, &result),
                   {});
    queue->finish();
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    REQUIRE((after & ~0x3fu) == (0x1f80 | 0x8040 | 0x6000));
    REQUIRE(result.settings == 0x1f80);
    REQUIRE_FALSE(result.flushed);
  }
}

TEST_CASE("a launch gets the stack it asks for, or fails", "[launch]") {
  std::atomic<uint64_t> least{UINT64_MAX};
  const auto body = [](const abi::LaunchInfo *info, auto...) {
    auto &state = stateOf<std::atomic<uint64_t>>(info);
    state = std::min(state.load(), stackLeft());
  };
  auto device = makeDevice(2);
  Launch big = makeLaunch(body, {100, 1, 1}, {1, 1, 1}, &least);
  big.stack_bytes = uint64_t{12} << 20; // more than a host thread usually has
  runOne(*device, std::move(big));
  CHECK(least >= (uint64_t{12} << 20));
  Launch absurd = makeLaunch(body, {100, 1, 1}, {1, 1, 1}, &least);
  absurd.stack_bytes = uint64_t{1} << 30;
  runOne(*device, std::move(absurd), kOutOfResources);
}

TEST_CASE("launches of all sizes in several queues", "[launch]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    std::atomic<uint64_t> groups{0};
    uint64_t expected = 0;
    const auto body = [](const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin,
                         uint64_t x_end, uint64_t, uint64_t) {
      volatile uint64_t spin = 0;
      for (uint64_t i = 0; i < 50 * (x_end - x_begin); ++i)
        spin = spin + i;
      stateOf<std::atomic<uint64_t>>(info) += x_end - x_begin;
    };
    std::vector<std::unique_ptr<Queue>> queues;
    for (int q = 0; q < 4; ++q)
      queues.push_back(device->createQueue(q % 2 != 0 ? Order::InOrder : Order::OutOfOrder));
    for (uint64_t i = 0; i < 400; ++i) {
      const uint64_t size = 1 + i * i % 3001;
      expected += size;
      queues[i % 4]->enqueue(makeLaunch(body, {size, 1, 1}, {1, 1, 1}, &groups), {});
    }
    for (auto &queue : queues)
      queue->finish();
    CHECK(groups == expected);
  }
}
