// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Busy waiting for something that is about to happen.
#pragma once

#include "scheduler/scheduler.h"

#include <sched.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lanecl::scheduler {

inline void pauseProcessor() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Pauses the processor at first, then also yields it, because the thread that is waited for may need it.
class Spin {
public:
  explicit Spin(uint64_t budget_nanoseconds) : budget(budget_nanoseconds) {}

  // Waits for a moment. Returns false when the time is over.
  bool again() {
    if (++rounds < kPausesBeforeClock) {
      pauseProcessor();
      return true;
    }
    const uint64_t now = nanoseconds();
    if (end == 0)
      end = now + budget;
    for (int i = 0; i < 4; ++i)
      pauseProcessor();
    if (rounds > kPausesBeforeYield)
      sched_yield();
    return now < end;
  }

private:
  static constexpr int kPausesBeforeClock = 32, kPausesBeforeYield = 100;
  const uint64_t budget;
  uint64_t end = 0;
  int rounds = 0;
};

} // namespace lanecl::scheduler
