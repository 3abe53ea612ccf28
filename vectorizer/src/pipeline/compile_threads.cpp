// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

thread_local unsigned own_uses = 0; // the calling thread counts while it is not 0

// Signals that are meant for the program must not be delivered to a helper.
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

// One call of forEach().
class Row {
public:
  Row(CompileThreads &threads, size_t count, const std::function<void(size_t)> &work)
      : threads(threads), work(work), failures(count) {}
  ~Row() { joinHelpers(); } // the calling thread may be made to end within `work`
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
  // In a helper, for which a place was taken.
  struct Helping {
    explicit Helping(Row &row) : row(row) { ++own_uses; }
    ~Helping() {
      --own_uses;
      --row.helping;
      row.threads.releasePlace();
    }
    Row &row;
  };

  std::optional<size_t> take() {
    const size_t number = next++;
    return number < failures.size() ? std::optional(number) : std::nullopt;
  }

  void call(size_t number) {
    try {
      work(number);
    } catch (const abi::__forced_unwind &) { // a callback of the program ends its thread
      failures[number] = std::make_exception_ptr(std::bad_exception());
      throw;
    } catch (...) {
      failures[number] = std::current_exception();
    }
  }

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
    } catch (const std::exception &) { // there is no thread, or no memory for one
      --helping;
      return false;
    }
  }

  void help() {
    const Helping until_the_end(*this);
    while (!threads.areTooMany()) {
      const std::optional<size_t> number = take();
      if (!number)
        return;
      call(*number);
    }
  }

  // The calling thread does not compile meanwhile.
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
  std::vector<std::exception_ptr> failures; // by number
  std::atomic<size_t> next{0};
  std::atomic<size_t> helping{0}; // helpers that have not ended
  std::vector<std::thread> helpers;
};

void CompileThreads::forEach(size_t count, const std::function<void(size_t)> &work) {
  if (count == 1)
    return work(0);
  Row(*this, count, work).run();
}

} // namespace lanecl::vectorizer
