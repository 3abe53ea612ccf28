// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the threads that compile at the same time.
#include "pipeline/compile_threads.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

using namespace lanecl::vectorizer;

namespace {

// Counts how many threads are inside visit() at the same time.
class Meeting {
public:
  void visit(std::chrono::milliseconds time = std::chrono::milliseconds(1)) {
    const unsigned now = ++inside;
    unsigned before = most;
    while (before < now && !most.compare_exchange_weak(before, now))
      ;
    std::this_thread::sleep_for(time);
    --inside;
  }
  unsigned mostAtOnce() const { return most; }

private:
  std::atomic<unsigned> inside{0}, most{0};
};

} // namespace

TEST_CASE("Each number is worked on once", "[compile_threads]") {
  for (const unsigned most : {1u, 2u, 8u})
    for (const size_t count : {0u, 1u, 2u, 100u}) {
      CompileThreads threads(most);
      std::vector<std::atomic<int>> calls(count);
      threads.forEach(count, [&](size_t number) { ++calls[number]; });
      CHECK(std::all_of(calls.begin(), calls.end(), [](const auto &made) { return made == 1; }));
    }
}

TEST_CASE("Two numbers are worked on at the same time", "[compile_threads]") {
  CompileThreads threads(2);
  std::atomic<int> arrived{0};
  threads.forEach(2, [&](size_t) { // each call waits until the other one has started
    ++arrived;
    while (arrived < 2)
      std::this_thread::yield();
  });
  CHECK(arrived == 2);
}

TEST_CASE("One thread is the calling one", "[compile_threads]") {
  CompileThreads threads(1);
  std::set<std::thread::id> used;
  threads.forEach(10, [&](size_t) { used.insert(std::this_thread::get_id()); });
  CHECK(used == std::set{std::this_thread::get_id()});
}

TEST_CASE("No more threads compile than are allowed", "[compile_threads]") {
  CompileThreads threads(3);
  Meeting meeting;
  threads.forEach(30, [&](size_t) { meeting.visit(); });
  CHECK(meeting.mostAtOnce() <= 3);
}

TEST_CASE("Calls within the work share its threads", "[compile_threads]") {
  CompileThreads threads(4);
  Meeting meeting;
  std::atomic<int> calls{0};
  threads.forEach(6, [&](size_t) {
    threads.forEach(6, [&](size_t) {
      meeting.visit();
      ++calls;
    });
  });
  CHECK(calls == 36);
  CHECK(meeting.mostAtOnce() <= 4);
}

// Each caller works as well. When there are more callers than allowed threads, no helper joins them.
TEST_CASE("Callers that begin together share the helpers", "[compile_threads]") {
  CompileThreads threads(3);
  std::atomic<int> calls{0}, helped{0};
  std::atomic<unsigned> begun{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 5; ++i)
    callers.emplace_back([&] {
      const CompileThreads::Busy busy(threads);
      ++begun;
      while (begun < 5)
        std::this_thread::yield();
      const std::thread::id own = std::this_thread::get_id();
      threads.forEach(4, [&](size_t) {
        ++calls;
        if (std::this_thread::get_id() != own)
          ++helped;
      });
      ++begun;
      while (begun < 10)
        std::this_thread::yield();
    });
  for (std::thread &caller : callers)
    caller.join();
  CHECK(calls == 20);
  CHECK(helped == 0);
}

TEST_CASE("The first failure by number is thrown on when all work is done", "[compile_threads]") {
  CompileThreads threads(4);
  std::atomic<int> calls{0};
  const auto work = [&](size_t number) {
    ++calls;
    if (number == 3 || number == 7)
      throw std::runtime_error("number " + std::to_string(number));
  };
  CHECK_THROWS_WITH(threads.forEach(10, work), "number 3");
  CHECK(calls == 10);
}
