// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/own_threads.h"

#include "scheduler/scheduler.h"
#include "threads/affinity.h"
#include "threads/fork.h"

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <system_error>

namespace lanecl::scheduler {

namespace {

// How long a thread without a job is kept. One that stayed for ever would keep a process alive whose own threads have
// all ended.
constexpr std::chrono::seconds kKept{5};

// At most one thread at a time is on its way to the jobs. When it takes a job and others are left, it calls the next
// thread before it starts the job. A thousand short jobs thus need only a few threads, while jobs that block get a
// thread each.
class Pool {
public:
  void add(std::function<void()> job) {
    const std::lock_guard lock(mutex);
    jobs.push_back(std::move(job));
    try {
      callThread();
    } catch (...) {
      jobs.pop_back();
      throw;
    }
  }

  // The main function of a thread of the pool.
  void serve() {
    const Leaving leaving{*this}; // a job may end the thread
    std::unique_lock lock(mutex);
    starting = false;
    while (waitForJob(lock)) {
      const std::function<void()> job = std::move(jobs.front());
      jobs.pop_front();
      tryToCallThread();
      lock.unlock();
      job();
      lock.lock();
    }
  }

private:
  // Calls another thread for the remaining jobs when this one ends.
  struct Leaving {
    Pool &pool;
    ~Leaving() {
      const std::lock_guard lock(pool.mutex);
      pool.tryToCallThread();
    }
  };

  // Called with the lock held, as are the next two functions. Throws when there is no thread.
  void callThread() {
    if (summoned || starting || jobs.empty())
      return;
    if (idle != 0) {
      summoned = true;
      called.notify_one();
      return;
    }
    startThread();
    starting = true;
  }
  // If no further thread can be started, the jobs wait for the existing ones.
  void tryToCallThread() {
    try {
      callThread();
    } catch (const std::system_error &) {
    }
  }
  // Returns false when no job came for a while.
  bool waitForJob(std::unique_lock<std::mutex> &lock) {
    assert(lock.owns_lock() && "the list of jobs is read without its lock");
    while (jobs.empty()) {
      ++idle;
      const bool came = called.wait_for(lock, kKept, [this] { return summoned; });
      --idle;
      if (!came)
        break;
      summoned = false;
    }
    return !jobs.empty();
  }

  void startThread();

  std::mutex mutex;
  std::condition_variable called;
  std::deque<std::function<void()>> jobs;
  int idle = 0; // number of idle threads
  // An idle thread was summoned, or a new one started, and has not come yet.
  bool summoned = false, starting = false;
};

PerProcess<Pool> pool;
thread_local bool is_own = false;

void Pool::startThread() {
  const auto run = [](void *own) -> void * {
    is_own = true;
    static_cast<Pool *>(own)->serve();
    return nullptr;
  };
  const ScopedOwnAffinity own; // the new thread would otherwise inherit this one's binding
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kWorkerStackBytes);
  pthread_t thread;
  const int failure = pthread_create(&thread, &attributes, run, this);
  pthread_attr_destroy(&attributes);
  if (failure != 0)
    throw std::system_error(failure, std::generic_category());
}

} // namespace

void runOnOwnThread(std::function<void()> job) {
  pool.get().add(std::move(job));
}

bool onOwnThread() {
  return is_own;
}

} // namespace lanecl::scheduler
