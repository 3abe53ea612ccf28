// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/workers.h"

#include "core/core.h"
#include "threads/affinity.h"
#include "threads/fork.h"

#include <condition_variable>
#include <pthread.h>
#include <system_error>

namespace lanecl::scheduler {

namespace {

// A thread that stayed for ever would keep a process alive whose own threads have all ended.
constexpr std::chrono::seconds kKept{5};

// A thread that waits for a call, on its own stack.
struct Idle {
  std::condition_variable called;
  std::shared_ptr<Core> core;
  Idle *next = nullptr;
};

class Pool {
public:
  // False when no thread is idle; `core` is then unchanged.
  bool call(std::shared_ptr<Core> &core) {
    const std::lock_guard lock(mutex);
    Idle *const thread = idle;
    if (thread == nullptr)
      return false;
    idle = thread->next;
    thread->core = std::move(core);
    thread->called.notify_one(); // under the lock: without it the thread may end first, and `called` with it
    return true;
  }

  // Null when no call came.
  std::shared_ptr<Core> waitForCall() {
    Idle self;
    std::unique_lock lock(mutex);
    self.next = idle; // the last one is called first: what it needs is still in its cache
    idle = &self;
    if (!self.called.wait_for(lock, kKept, [&] { return self.core != nullptr; }))
      remove(self);
    return std::move(self.core);
  }

private:
  void remove(const Idle &thread) {
    Idle **link = &idle;
    while (*link != &thread)
      link = &(*link)->next;
    *link = thread.next;
  }

  std::mutex mutex;
  Idle *idle = nullptr;
};

PerProcess<Pool> pool;

void runThread(std::shared_ptr<Core> core) {
  while (core) {
    core->runWorker();
    core = nullptr; // the core may be destroyed while this thread is idle
    core = pool.get().waitForCall();
  }
}

void startThread(std::shared_ptr<Core> core) {
  const auto run = [](void *argument) -> void * {
    const std::unique_ptr<std::shared_ptr<Core>> first(static_cast<std::shared_ptr<Core> *>(argument));
    runThread(std::move(*first));
    return nullptr;
  };
  const ScopedOwnAffinity own; // the new thread would inherit this one's binding
  auto first = std::make_unique<std::shared_ptr<Core>>(std::move(core));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kWorkerStackBytes);
  pthread_t thread;
  const int failure = pthread_create(&thread, &attributes, run, first.get());
  pthread_attr_destroy(&attributes);
  if (failure != 0)
    throw std::system_error(failure, std::generic_category());
  (void)first.release();
}

} // namespace

void callWorker(std::shared_ptr<Core> core) {
  if (!pool.get().call(core))
    startThread(std::move(core));
}

} // namespace lanecl::scheduler
