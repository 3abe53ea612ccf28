// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Crashes and fatal errors inside the compiler become errors of the compile, and the host's signal handlers stay as
// they were.
#include "support.hpp"

#include "vectorizer/crash_guard.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <limits>
#include <map>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace test;
using lanecl::vectorizer::runGuarded;

namespace {

// Recurses with 4 KiB of stack for each call, in a way that no optimizer turns into a loop.
int deep(volatile int *depth, int limit = std::numeric_limits<int>::max()) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  if (*depth >= limit)
    return 0;
  return deep(depth, limit) + frame[0];
}

using Handlers = std::map<int, void *>;

// Returns the handlers of all signals.
Handlers installedHandlers() {
  Handlers handlers;
  for (int signal = 1; signal < 32; ++signal) {
    struct sigaction action{};
    if (sigaction(signal, nullptr, &action) == 0)
      handlers[signal] = reinterpret_cast<void *>(action.sa_handler);
  }
  return handlers;
}

} // namespace

TEST_CASE("Crashes and fatal errors of guarded work are reasons", "[crash]") {
  std::string reason;
  CHECK(runGuarded([] {}, reason));
  CHECK_FALSE(runGuarded([] { llvm::report_fatal_error("no such thing"); }, reason));
  CHECK(contains(reason, "no such thing"));
  CHECK_FALSE(runGuarded([] { raise(SIGSEGV); }, reason));
  CHECK(contains(reason, "SEGV"));
  CHECK_FALSE(runGuarded([] { std::abort(); }, reason));
  CHECK(contains(reason, "ABRT"));
  CHECK_FALSE(runGuarded([] { throw std::bad_alloc(); }, reason));
  CHECK(contains(reason, "memory"));
}

TEST_CASE("Guarded work may recurse deeply", "[crash]") {
  std::string reason;
  volatile int depth = 0;
  CHECK(runGuarded([&] { deep(&depth, 4000); }, reason)); // uses 16 MiB, twice the usual size of a stack
  CHECK(depth == 4000);
}

TEST_CASE("A signal that the host ignores does not end the guard", "[crash]") {
  struct sigaction ignored{}, before{};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGTRAP, &ignored, &before);
  std::string reason;
  CHECK_FALSE(runGuarded(
      [] {
        std::thread([] { raise(SIGTRAP); }).join(); // this thread is not guarded
        raise(SIGTRAP);
      },
      reason));
  CHECK(contains(reason, "TRAP"));
  sigaction(SIGTRAP, &before, nullptr);
}

TEST_CASE("Guarded work on several threads gets its own reasons", "[crash]") {
  std::vector<std::thread> threads;
  std::array<std::string, 8> reasons;
  for (size_t i = 0; i < reasons.size(); ++i)
    threads.emplace_back([&, i] {
      for (unsigned round = 0; round < 20; ++round)
        runGuarded([&] { llvm::report_fatal_error(llvm::Twine("thread ") + llvm::Twine(i)); }, reasons[i]);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < reasons.size(); ++i)
    CHECK(reasons[i] == "thread " + std::to_string(i));
}

// The work does not end before it has been reported.
TEST_CASE("Guarded work that takes long is reported while it runs, on the calling thread", "[crash]") {
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> reported{false};
  std::thread::id reporter;
  const auto waitForReport = [&] {
    while (!reported)
      std::this_thread::yield();
  };
  std::string reason;
  CHECK(runGuarded(waitForReport, reason, {Clock::now(), [&] {
                                             reporter = std::this_thread::get_id();
                                             reported = true;
                                           }}));
  CHECK(reporter == std::this_thread::get_id());
  int reports = 0;
  CHECK(runGuarded([] {}, reason, {Clock::now() + std::chrono::hours(1), [&] { ++reports; }}));
  CHECK(reports == 0);
}

TEST_CASE("A report may throw; the guarded work is over then", "[crash]") {
  std::atomic<bool> reported{false}, done{false};
  std::string reason;
  const auto work = [&] {
    while (!reported)
      std::this_thread::yield();
    done = true;
  };
  CHECK_THROWS_WITH(runGuarded(work, reason,
                               {std::chrono::steady_clock::now(),
                                [&] {
                                  reported = true;
                                  throw std::runtime_error("a report");
                                }}),
                    "a report");
  CHECK(done);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST_CASE("A stack overflow is a reason", "[crash]") {
  std::string reason;
  volatile int depth = 0;
  CHECK_FALSE(runGuarded([&] { deep(&depth); }, reason));
  CHECK(contains(reason, "SEGV"));
  CHECK(depth > 1000);
}
#endif

TEST_CASE("A crash of Clang is a build failure, and the next build works", "[crash]") {
  for (const char *what : {"crash", "llvm_fatal_error", "parser_crash"}) {
    Frontend frontend(traits());
    const CompileOutput output =
        frontend.build(std::string("#pragma clang __debug ") + what + "\nkernel void k() {}", "");
    INFO(what << "\n" << output.log);
    CHECK(output.status == Status::Failure);
    CHECK(contains(output.log, "error: the compiler gave up"));
    CHECK(frontend.build("kernel void k() {}", "").status == Status::Success);
  }
}

TEST_CASE("No signal handler is left behind", "[crash]") {
  const Handlers before = installedHandlers();
  builds("kernel void k() {}");
  builds("kernel void k() {", "-g");
  std::string reason;
  runGuarded([] { std::abort(); }, reason);
  CHECK(installedHandlers() == before);
}

namespace {
thread_local sigjmp_buf host_jump;
volatile std::sig_atomic_t host_handled = 0;
void hostHandler(int) {
  host_handled = host_handled + 1;
  siglongjmp(host_jump, 1);
}
} // namespace

TEST_CASE("A fault of the host during a compile reaches the host's handler", "[crash]") {
  struct sigaction action{}, before{};
  action.sa_handler = hostHandler;
  sigaction(SIGSEGV, &action, &before);
  host_handled = 0;
  std::string reason;
  const bool ended = runGuarded(
      [] {
        // Another thread of the host faults while the guard's handlers are installed.
        std::thread([] {
          sigset_t all;
          sigemptyset(&all);
          pthread_sigmask(SIG_SETMASK, &all, nullptr);
          if (sigsetjmp(host_jump, 1) == 0)
            raise(SIGSEGV);
        }).join();
      },
      reason);
  sigaction(SIGSEGV, &before, nullptr);
  CHECK(ended);
  CHECK(host_handled == 1);
}
