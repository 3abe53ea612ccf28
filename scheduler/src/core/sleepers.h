// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads of the host program that wait for a node and found nothing to do meanwhile.
#pragma once

#include "core/node.h"

#include <condition_variable>

namespace lanecl::scheduler {

// oneTBB has one thread fewer than there are processors, because it counts on the program's own thread. When there is
// work again, a thread that sleeps in clFinish, for example, is woken to take part.
class Sleepers {
public:
  // Sleeps until the node is done or call() has chosen this thread. call() does not choose it before the time
  // `callable_from`, in nanoseconds(). Returns true if the thread was called, or if hasWork() held from the start.
  template <typename HasWork> bool sleep(const Node &until, uint64_t callable_from, HasWork hasWork) {
    Sleeper self{.until = &until, .callable_from = callable_from, .next = nullptr};
    std::unique_lock lock(mutex);
    // Sequentially consistent: either the thread that completes the node or adds work sees this thread, or this thread
    // sees the change.
    enter(self);
    if (callable_from <= nanoseconds() && hasWork())
      setCalled(self);
    self.woken.wait(lock, [&] { return self.called || until.done(); });
    leave(self);
    return self.called;
  }
  void wake(const Node &done); // wakes the threads that wait for this node
  void call(int count);        // calls at most `count` sleeping threads to take part in work
  // Number of threads that were called and have not woken yet.
  int coming() const { return called.load(); }

private:
  // Lives on the stack of the sleeping thread.
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
  std::mutex mutex; // guards the list and its elements
  Sleeper *first = nullptr;
};

} // namespace lanecl::scheduler
