// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads of the program's that wait for a node and found nothing to do meanwhile.
#pragma once

#include "core/node.h"

#include <condition_variable>

namespace lanecl::scheduler {

// oneTBB has one thread less than there are processors, as it counts on the program's own. So when there is work again,
// a thread that sleeps in clFinish, say, is woken to take part.
class Sleepers {
public:
  // Sleeps until the node is done or call() has chosen this thread, which it does not before `callable_from`, a time of
  // nanoseconds(). True when it was called, or when hasWork() holds at the beginning.
  template <typename HasWork> bool sleep(const Node &until, uint64_t callable_from, HasWork hasWork) {
    Sleeper self{.until = &until, .callable_from = callable_from, .next = nullptr};
    std::unique_lock lock(mutex);
    // Sequentially consistent: who completes the node or adds work sees this thread, or this thread sees that.
    enter(self);
    if (callable_from <= nanoseconds() && hasWork())
      setCalled(self);
    self.woken.wait(lock, [&] { return self.called || until.done(); });
    leave(self);
    return self.called;
  }
  void wake(const Node &done); // those that wait for it
  void call(int count);        // at most so many
  // Those that were called and have not come yet.
  int coming() const { return called.load(); }

private:
  struct Sleeper {
    const Node *until;
    uint64_t callable_from;
    Sleeper *next;
    bool called = false;
    std::condition_variable woken{};
  };
  void enter(Sleeper &sleeper);
  void leave(const Sleeper &sleeper);
  void setCalled(Sleeper &sleeper);

  std::atomic<int> sleeping{0}, called{0};
  std::mutex mutex; // guards the list
  Sleeper *first = nullptr;
};

} // namespace lanecl::scheduler
