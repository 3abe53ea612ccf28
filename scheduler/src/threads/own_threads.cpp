// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/own_threads.h"

#include "scheduler/scheduler.h"
#include "threads/affinity.h"
#include "threads/fork.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <system_error>

namespace lanecl::scheduler {

namespace {

// A thread that stayed for ever would keep a process alive whose own threads have all ended.
constexpr std::chrono::seconds kKept{5};

// At most one thread at a time is on its way to the jobs. When it takes one and others are left, it calls the next
// thread before it begins. So a thousand short jobs have a few threads, and jobs that block have a thread each.
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

  // On a new thread.
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
  struct Leaving {
    Pool &pool;
    ~Leaving() {
      const std::lock_guard lock(pool.mutex);
      pool.tryToCallThread();
    }
  };

  // With the lock, as the next two. Throws when there is no thread.
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
  // Without a further thread the jobs wait for those that there are.
  void tryToCallThread() {
    try {
      callThread();
    } catch (const std::system_error &) {
    }
  }
  // False when none came for a while.
  bool waitForJob(std::unique_lock<std::mutex> &lock) {
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
  int idle = 0;                            // threads
  bool summoned = false, starting = false; // an idle thread, or a new one, that has not come yet
};

PerProcess<Pool> pool;
thread_local bool is_own = false;

void Pool::startThread() {
  const auto run = [](void *own) -> void * {
    is_own = true;
    static_cast<Pool *>(own)->serve();
    return nullptr;
  };
  const ScopedOwnAffinity own; // the new thread would inherit this one's binding
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
