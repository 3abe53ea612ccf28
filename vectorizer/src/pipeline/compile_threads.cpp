// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs compilations on several threads. A place is the right to compile; there are `most` of them, and `busy` counts
// those that are taken. A calling thread takes a place even if none is free, so that it never waits; helpers take only
// free ones.

#include "pipeline/compile_threads.h"

#include <cassert>
#include <csignal>
#include <cxxabi.h>
#include <exception>
#include <optional>
#include <pthread.h>
#include <thread>
#include <vector>

namespace lanecl::vectorizer {

namespace {

thread_local unsigned own_uses = 0; // nested uses of a place by this thread, which holds one place if there are any

// While an object of this class lives, the calling thread blocks signals other than faults. A helper that is started
// meanwhile inherits that, so that signals to the program are never delivered to it.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
      sigdelset(&blocked, fault);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t before;
};

} // namespace

CompileThreads::Busy::Busy(CompileThreads &threads) : threads(threads) {
  if (own_uses++ == 0)
    ++threads.busy;
}

CompileThreads::Busy::~Busy() {
  assert(own_uses != 0);
  if (--own_uses == 0)
    threads.releasePlace();
}

bool CompileThreads::takeFreePlace() {
  unsigned seen = busy;
  while (seen < most)
    if (busy.compare_exchange_weak(seen, seen + 1))
      return true;
  return false;
}

// One call of forEach(): hands the numbers out to the calling thread and its helpers, and keeps their exceptions.
class Row {
public:
  Row(CompileThreads &threads, size_t count, const std::function<void(size_t)> &work)
      : threads(threads), work(work), failures(count) {}
  ~Row() { joinHelpers(); } // `work` may end the calling thread, which unwinds this frame
  Row(const Row &) = delete;
  Row &operator=(const Row &) = delete;

  void run() {
    const CompileThreads::Busy busy(threads);
    while (const std::optional<size_t> number = take()) {
      startHelpers();
      call(*number);
    }
    waitForHelpers();
    for (const std::exception_ptr &failure : failures)
      if (failure)
        std::rethrow_exception(failure);
  }

private:
  // The lifetime of a helper's work. The place that startHelpers() took for the helper is released at the end.
  struct Helping {
    explicit Helping(Row &row) : row(row) { ++own_uses; }
    ~Helping() {
      --own_uses;
      --row.helping;
      row.threads.releasePlace();
    }
    Row &row;
  };

  // Returns the next number, or nothing if all are taken.
  std::optional<size_t> take() {
    const size_t number = next++;
    return number < failures.size() ? std::optional(number) : std::nullopt;
  }

  void call(size_t number) {
    try {
      work(number);
      // A callback of the program may end its thread, for example by pthread_exit(). The unwinding must go on.
    } catch (const ::abi::__forced_unwind &) {
      failures[number] = std::make_exception_ptr(std::bad_exception());
      throw;
    } catch (...) {
      failures[number] = std::current_exception();
    }
  }

  // Starts helpers while there are numbers that no thread is about to take, and free places.
  void startHelpers() {
    while (next + helping < failures.size() && threads.takeFreePlace())
      if (!startHelper()) {
        threads.releasePlace();
        return;
      }
  }

  bool startHelper() {
    const SignalsBlocked blocked;
    ++helping;
    try {
      helpers.emplace_back([this] { help(); });
      return true;
    } catch (const std::exception &) { // no thread or no memory is available
      --helping;
      return false;
    }
  }

  // The body of a helper. It ends early if more threads than `most` compile, because a calling thread needs its place.
  void help() {
    const Helping until_the_end(*this);
    while (!threads.areTooMany()) {
      const std::optional<size_t> number = take();
      if (!number)
        return;
      call(*number);
    }
  }

  // Waits for all helpers. The calling thread gives its place back meanwhile, as it does not compile.
  void waitForHelpers() {
    if (helpers.empty())
      return;
    threads.releasePlace();
    joinHelpers();
    ++threads.busy;
  }

  void joinHelpers() {
    for (std::thread &helper : helpers)
      helper.join();
    helpers.clear();
  }

  CompileThreads &threads;
  const std::function<void(size_t)> &work;
  std::vector<std::exception_ptr> failures; // by number; null where the call succeeded
  std::atomic<size_t> next{0};
  std::atomic<size_t> helping{0}; // the number of helpers that still run
  std::vector<std::thread> helpers;
};

void CompileThreads::forEach(size_t count, const std::function<void(size_t)> &work) {
  if (count == 1)
    return work(0);
  Row(*this, count, work).run();
}

} // namespace lanecl::vectorizer
