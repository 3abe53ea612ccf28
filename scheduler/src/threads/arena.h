// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads of oneTBB, which the whole process shares.
#pragma once

#include <atomic>
#include <functional>

namespace lanecl::scheduler {

// What a device borrows of them. Nothing is made, and no thread is started, before the first call of run().
class Arena {
public:
  explicit Arena(unsigned most) : threads(most) {} // at a time, one of which is a thread of the program's that waits
  // Runs `visit` when oneTBB has a thread to spare; on an own thread when the process exits. Does not block; throws
  // when there is no memory, or no thread.
  void run(std::function<void()> visit);

private:
  const unsigned threads;
  std::atomic<bool> made{false};
};

bool anyVisitWaits(); // of any device, for a thread

bool onOneTbbThread(); // the calling thread is one of oneTBB's

} // namespace lanecl::scheduler
