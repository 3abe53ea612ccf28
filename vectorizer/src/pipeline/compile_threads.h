// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads that compile at the same time. They are not oneTBB's, which run kernels: a compilation keeps its thread
// for seconds, and runs on a thread with a larger stack anyway.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace lanecl::vectorizer {

class CompileThreads {
public:
  explicit CompileThreads(unsigned most) : most(most) {}

  // While it lives, the calling thread counts as one that compiles. It never waits for others.
  class Busy {
  public:
    explicit Busy(CompileThreads &threads);
    ~Busy();
    Busy(const Busy &) = delete;
    Busy &operator=(const Busy &) = delete;

  private:
    CompileThreads &threads;
  };

  // Calls work(0), work(1) … work(count - 1). The calling thread takes one after the other; helpers do the same as long
  // as no more than `most` threads compile. So threads that begin together, and calls within `work`, share the helpers,
  // and none waits for a thread to become free. All calls are made; then the first exception, by the order of the
  // numbers, is thrown on.
  void forEach(size_t count, const std::function<void(size_t)> &work);

  // Whether a helper would join now.
  bool anyIsFree() const { return busy < most; }

private:
  friend class Row;
  bool takeFreePlace();
  void releasePlace() { --busy; }
  bool areTooMany() const { return busy > most; }

  const unsigned most;
  std::atomic<unsigned> busy{0};
};

} // namespace lanecl::vectorizer
