// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Exit with pending work, fork, and what printf leaves on stdout.
#include "fixture.h"
#include "scheduler/batch.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

// Runs `body` in a forked process. Returns its exit code, 1000 + the signal that killed it, or 2000 if it hangs.
// `output` receives its stdout.
int inChild(const std::function<void()> &body, std::string *output = nullptr) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], output != nullptr ? 1 : 2);
    alarm(20);
    body();
    _exit(99);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    if (output != nullptr)
      output->append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? 2000 : 1000 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

// Prints the number of a work-group, as generated code does.
void printItem(const abi::LaunchInfo *info, uint64_t x) {
  struct {
    uint32_t tag = 4 | 1 << 8, pad = 0;
    uint64_t value;
  } argument;
  argument.value = x;
  info->services->printf("item %d\n", reinterpret_cast<const std::byte *>(&argument), 16);
}

void printItems(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin,
                uint64_t x_end, uint64_t, uint64_t) {
  for (uint64_t x = x_begin; x < x_end; ++x)
    printItem(info, x);
}

// Prints, and then leaves the process no memory that it has not got yet.
void printAndTakeMemory(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x, uint64_t,
                        uint64_t, uint64_t) {
  printItem(info, x);
  const rlimit none{1, 1};
  setrlimit(RLIMIT_AS, &none);
}

} // namespace

TEST_CASE("exit while commands are pending", "[processes]") {
  for (int round = 0; round < 10; ++round)
    CHECK(inChild([round] {
            auto device = makeDevice(static_cast<unsigned>(round % 3));
            auto *queue = device->createQueue(Order::InOrder).release();
            queue->enqueue(makeLaunch([](auto...) { std::this_thread::sleep_for(std::chrono::microseconds(100)); },
                                      {100000, 1, 1}, {1, 1, 1}),
                           {});
            for (int i = 0; i < 100; ++i)
              queue->enqueue([] { return kComplete; }, {});
            if (round % 2 != 0)
              std::this_thread::sleep_for(std::chrono::milliseconds(5));
            std::exit(7);
          }) == 7);
}

TEST_CASE("a device that was idle at the fork works in the child", "[processes]") {
  auto device = makeDevice(2);
  CHECK(inChild([&] {
          auto queue = device->createQueue(Order::InOrder);
          std::atomic<int> count{0};
          for (int i = 0; i < 100; ++i)
            queue->enqueue([&count] { return ++count, kComplete; }, {});
          queue->finish();
          _exit(count == 100 ? 0 : 1);
        }) == 0);
}

TEST_CASE("after a fork old queues fail and new ones work", "[processes]") {
  auto device = makeDevice(2);
  auto queue = device->createQueue(Order::InOrder);
  const DependencyPtr gate = device->createUserEvent();
  for (int i = 0; i < 100; ++i)
    queue->enqueue([] { return kComplete; }, {});
  queue->finish();
  const DependencyPtr pending = queue->enqueue([] { return kComplete; }, {gate});
  CHECK(inChild([&] {
          const DependencyPtr refused = queue->enqueue([] { return kComplete; }, {});
          pending->wait();
          queue->finish();
          if (refused->status() != kOutOfResources || pending->status() != kOutOfResources)
            _exit(1);
          auto fresh = device->createQueue(Order::InOrder);
          std::atomic<int> count{0};
          DependencyPtr last;
          for (int i = 0; i < 100; ++i)
            last = fresh->enqueue([&count] { return ++count, kComplete; }, {});
          if (!eventually([&] { return last->status() == kComplete; }))
            _exit(2);
          fresh->enqueue([&count] { return ++count, kComplete; }, {})->wait();
          _exit(count == 101 ? 0 : 3);
        }) == 0);
  gate->setUserStatus(kComplete);
  queue->finish();
}

TEST_CASE("the workers of a forked process have as much stack", "[processes]") {
  auto device = makeDevice(2);
  device->createQueue(Order::InOrder)->enqueue([] { return kComplete; }, {})->wait();
  CHECK(inChild([&] {
          Launch launch = makeLaunch([](auto...) {}, {1, 1, 1}, {1, 1, 1});
          launch.stack_bytes = size_t{12} << 20;
          const DependencyPtr event = device->createQueue(Order::InOrder)->enqueue(std::move(launch), {});
          _exit(eventually([&] { return event->status() <= kComplete; }) && event->status() == kComplete ? 0 : 1);
        }) == 0);
}

TEST_CASE("a process is forked while others print and enqueue", "[processes]") {
  const auto print = [](const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t x_begin,
                        uint64_t x_end, uint64_t, uint64_t) {
    for (uint64_t x = x_begin; x < x_end; ++x)
      info->services->printf("", nullptr, 0);
  };
  auto device = makeDevice(2);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    auto queue = device->createQueue(Order::OutOfOrder);
    while (!stop) {
      for (int i = 0; i < 20; ++i)
        queue->enqueue(makeLaunch(print, {1000, 1, 1}, {1, 1, 1}), {});
      queue->finish();
      std::this_thread::sleep_for(std::chrono::microseconds(100)); // so that workers come and go
    }
  });
  for (int round = 0; round < 40; ++round)
    CHECK(inChild([&] {
            auto fresh = makeDevice(2);
            auto queue = fresh->createQueue(Order::OutOfOrder);
            std::atomic<int> done{0};
            for (int i = 0; i < 10; ++i) {
              queue->enqueue(makeLaunch(print, {100, 1, 1}, {1, 1, 1}), {});
              queue->enqueueHostFunction([&] { return ++done, kComplete; }, {});
            }
            queue->finish();
            std::exit(done == 10 ? 7 : 1);
          }) == 7);
  stop = true;
  busy.join();
}

TEST_CASE("a forked process that starts its own threads exits", "[processes]") {
  const auto work = [](Queue &queue) {
    for (int i = 0; i < 50; ++i)
      queue.enqueue([] { return std::this_thread::sleep_for(std::chrono::microseconds(200)), kComplete; }, {});
  };
  for (int round = 0; round < 10; ++round) {
    for (unsigned threads : {1u, 6u}) {
      auto device = makeDevice(threads);
      auto queue = device->createQueue(Order::OutOfOrder);
      work(*queue);
      queue->finish();
    }
    CHECK(inChild([&] {
            auto device = makeDevice(4);
            auto *queue = device->createQueue(Order::OutOfOrder).release();
            work(*queue);
            if (round % 2 != 0)
              queue->finish();
            std::exit(7);
          }) == 7);
  }
}

TEST_CASE("printf is on stdout when the launch is complete", "[processes]") {
  std::string output;
  CHECK(inChild(
            [] {
              auto device = makeDevice(2);
              auto queue = device->createQueue(Order::InOrder);
              std::printf("before\n");
              queue->enqueue(makeLaunch(printItems, {5000, 1, 1}, {1, 1, 1}), {})->wait();
              _exit(0); // exits without the C library's own flush
            },
            &output) == 0);
  CHECK(output.substr(0, 7) == "before\n");
  size_t lines = 0;
  for (size_t x = 0; x < 5000; ++x)
    lines += output.find("\nitem " + std::to_string(x) + "\n") != std::string::npos;
  CHECK(lines == 5000);
}

// The second stage of the batch waits for others and needs memory of its own for each work-group. Sanitizers need
// memory all the time.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST_CASE("printf is on stdout when a batch has failed", "[processes]") {
  for (unsigned threads : {1u, 2u}) {
    CAPTURE(threads);
    std::string output;
    CHECK(inChild(
              [=] {
                auto device = makeDevice(threads);
                auto queue = device->createQueue(Order::InOrder);
                const Suspension waits{};
                Launch waiting = makeLaunch([](auto...) { _exit(5); }, {4, 1, 1}, {1, 1, 1});
                waiting.waiting = &waits;
                waiting.scratch_bytes = 64 << 20;
                const DependencyPtr event = queue->enqueue(
                    makeBatch({{prepare(makeLaunch(printAndTakeMemory, {1, 1, 1}, {1, 1, 1}))}, {prepare(waiting)}}),
                    {});
                event->wait();
                _exit(event->status() == kOutOfResources ? 0 : 6);
              },
              &output) == 0);
    CHECK(output == "item 0\n");
  }
}
#endif
