// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads that compile kernels at the same time. They are not the threads of oneTBB, which run kernels: a
// compilation keeps its thread for seconds, and needs a larger stack anyway.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace lanecl::vectorizer {

// Shares out places to compile among threads. There are `most` places; a calling thread compiles at once even if none
// is free, and helpers join it only while some are.
class CompileThreads {
public:
  explicit CompileThreads(unsigned most) : most(most) {}

  // While an object of this class lives, the calling thread counts as one that compiles. The constructor never waits.
  class Busy {
  public:
    explicit Busy(CompileThreads &threads);
    ~Busy();
    Busy(const Busy &) = delete;
    Busy &operator=(const Busy &) = delete;

  private:
    CompileThreads &threads;
  };

  // Calls work(0), work(1) … work(count - 1), and returns when all calls have returned. The calling thread takes one
  // number after the other; helper threads do the same while no more than `most` threads compile. Threads that call at
  // the same time, and calls within `work`, share the places of the helpers, and no call waits for a free place. All
  // calls are made even if one throws; then the exception with the lowest number is thrown again.
  void forEach(size_t count, const std::function<void(size_t)> &work);

  // Whether a helper would join a call of forEach() now.
  bool anyIsFree() const { return busy < most; }

private:
  friend class Row;
  // Takes a place if one is free; returns whether it did.
  bool takeFreePlace();
  void releasePlace() { --busy; }
  // Whether calling threads have taken places beyond the limit, so that helpers should end.
  bool areTooMany() const { return busy > most; }

  const unsigned most;
  std::atomic<unsigned> busy{0};
};

} // namespace lanecl::vectorizer
