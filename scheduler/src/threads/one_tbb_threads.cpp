// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/one_tbb_threads.h"

#include "scheduler/scheduler.h"
#include "threads/fork.h"
#include "threads/own_threads.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <sched.h>
#include <vector>

namespace lanecl::scheduler {

namespace {

using tbb::global_control;

size_t allowedParallelism() {
  return global_control::active_value(global_control::max_allowed_parallelism);
}

// Allows oneTBB that many threads for the rest of the process, unless something else in the process allows it fewer.
// The control objects are never destroyed, because oneTBB cannot be called any more once the process has started to
// exit.
void allow(size_t wanted) {
  if (wanted <= allowedParallelism())
    return;
  static auto &kept = *new std::vector<std::unique_ptr<global_control>>;
  kept.push_back(std::make_unique<global_control>(global_control::max_allowed_parallelism, wanted));
  const size_t allowed = allowedParallelism();
  static std::atomic<bool> said{false};
  if (allowed >= wanted || said.exchange(true))
    return;
  std::fprintf(
      stderr,
      "LaneCL: the device should use %zu threads, but this program limits oneTBB to %zu "
      "(tbb::global_control::max_allowed_parallelism), so kernels run on no more. Set LANECL_THREADS to %zu or "
      "less, or raise the limit in the program.\n",
      wanted, allowed, allowed);
}

void runNextVisit();

// All devices share one arena, which is as large as the largest of them needs. Each device itself counts how many
// threads run its commands. If each device had an arena, a thread without work would look for tasks in its own arena
// again and again before it went to another one. That takes seconds on a busy machine, because the thread yields its
// processor each time.
class SharedArena {
public:
  // Queues the visit and has oneTBB call runNextVisit(). The task itself carries no data. The lock orders what is
  // written here before what the visiting thread reads. ThreadSanitizer sees that order, too, while it sees nothing of
  // what happens inside oneTBB.
  void run(unsigned most, std::function<void()> visit) {
    const std::lock_guard lock(mutex);
    if (closed)
      return runOnOwnThread(std::move(visit));
    makeRoomFor(most);
    assert(!arenas.empty() && "a device without threads queues no visit");
    visits.push_back(std::move(visit));
    waiting.fetch_add(1, std::memory_order_relaxed);
    try {
      arenas.back()->enqueue(runNextVisit);
    } catch (...) {
      visits.pop_back();
      waiting.fetch_sub(1, std::memory_order_relaxed);
      throw;
    }
  }
  std::function<void()> takeVisit() {
    const std::lock_guard lock(mutex);
    assert(!visits.empty() && "oneTBB has called more often than visits were queued");
    std::function<void()> visit = std::move(visits.front());
    visits.pop_front();
    waiting.fetch_sub(1, std::memory_order_relaxed);
    return visit;
  }
  // Makes sure that no thread calls oneTBB from now on. It stops waiting for the lock after 100 ms, because the thread
  // that holds it may be this one: a signal handler that interrupted it may have called exit().
  void close() {
    const uint64_t begin = nanoseconds();
    std::unique_lock lock(mutex, std::try_to_lock);
    while (!lock && nanoseconds() - begin < 100'000'000) {
      sched_yield();
      (void)lock.try_lock();
    }
    closed = true;
  }
  bool anyWaits() const { return waiting.load(std::memory_order_relaxed) > 0; }

private:
  void makeRoomFor(unsigned threads) {
    if (size >= threads)
      return;
    allow(threads);
    // oneTBB keeps one place of an arena for a thread that enters the arena by itself. No thread does that here. But
    // without such a place the arena would ask for one thread more than there are, and oneTBB warns of that.
    arenas.push_back(std::make_unique<tbb::task_arena>(static_cast<int>(std::max(threads, 2u)), 1));
    size = threads;
  }

  std::mutex mutex; // guards everything below
  bool closed = false;
  unsigned size = 0; // of the last arena, which is used; the earlier ones are kept, like the objects of allow()
  std::vector<std::unique_ptr<tbb::task_arena>> arenas;
  std::deque<std::function<void()>> visits;
  std::atomic<int> waiting{0}; // number of visits, for readers without the lock
};

PerProcess<SharedArena> shared_arena;

void runNextVisit() {
  shared_arena.get().takeVisit()();
}

// When the process exits, oneTBB destroys what it needs, while threads of this library may still run. This object is
// destroyed before that, because oneTBB was loaded first.
struct AtExit {
  ~AtExit() { shared_arena.get().close(); }
};
[[maybe_unused]] const AtExit at_exit;

} // namespace

void runOnOneTbbThread(unsigned most, std::function<void()> visit) {
  shared_arena.get().run(most, std::move(visit));
}

bool anyVisitWaits() {
  return shared_arena.get().anyWaits();
}

// Other threads have no index, or the index 0, which belongs to a thread that enters an arena by itself.
bool onOneTbbThread() {
  return tbb::this_task_arena::current_thread_index() > 0;
}

} // namespace lanecl::scheduler
