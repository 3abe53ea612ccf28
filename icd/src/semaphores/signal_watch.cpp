// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One thread waits with epoll for the counters of all semaphores whose signals are wanted.

#include "semaphores/signal_watch.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/epoll.h>
#include <unistd.h>

namespace lanecl::icd {
namespace {

using Done = std::function<void(bool)>;

// The thread is started at the first counter that has no signal ready. `poll` contains exactly the counters of
// `waiters`.
class Watch {
public:
  const pid_t process = getpid();

  void add(const std::shared_ptr<SignalCounter> &counter, Done done) {
    if (!tryAdd(counter, done))
      done(false);
    else if (done) // a signal was taken at once
      done(true);
  }

private:
  // The callers that wait for a counter, in their order.
  struct Waiters {
    std::shared_ptr<SignalCounter> counter;
    std::deque<Done> queue;
  };

  // Takes a signal if nobody waits for this counter and one is ready; then `done` is left to the caller. Otherwise
  // queues `done` by moving from it. Returns false when waiting is impossible.
  bool tryAdd(const std::shared_ptr<SignalCounter> &counter, Done &done) {
    const std::lock_guard lock(mutex);
    auto found = waiters.find(counter.get());
    if (found == waiters.end()) {
      if (counter->take())
        return true;
      if (!start() || !listen(*counter))
        return false;
      found = waiters.emplace(counter.get(), Waiters{counter, {}}).first;
    }
    found->second.queue.push_back(std::exchange(done, nullptr));
    return true;
  }

  bool listen(SignalCounter &counter) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &counter;
    return epoll_ctl(poll, EPOLL_CTL_ADD, counter.descriptor(), &event) == 0;
  }

  bool start() {
    if (poll >= 0)
      return true;
    const int made = epoll_create1(EPOLL_CLOEXEC);
    if (made < 0)
      return false;
    try {
      std::thread([this, made] { run(made); }).detach();
    } catch (const std::system_error &) {
      close(made);
      return false;
    }
    poll = made;
    return true;
  }

  // Waits for signals. The process may end without waiting for this thread.
  void run(int descriptor) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr); // signal handlers of the program must not run on this thread
    std::array<epoll_event, 64> events;
    while (true) {
      const int count = epoll_wait(descriptor, events.data(), int(events.size()), -1);
      if (count < 0 && errno != EINTR)
        return;
      for (int i = 0; i < count; ++i)
        for (const Done &done : taken(static_cast<SignalCounter *>(events[size_t(i)].data.ptr)))
          done(true);
    }
  }

  // Takes signals for the callers at the front of the counter's queue, and returns these callers. There may be fewer
  // signals than expected, because another process may have taken some.
  std::vector<Done> taken(SignalCounter *counter) {
    std::vector<Done> result;
    const std::lock_guard lock(mutex);
    const auto found = waiters.find(counter);
    if (found == waiters.end())
      return result;
    std::deque<Done> &queue = found->second.queue;
    assert(!queue.empty() && "nobody waits for a counter that is watched");
    while (!queue.empty() && counter->take()) {
      result.push_back(std::move(queue.front()));
      queue.pop_front();
    }
    if (queue.empty()) {
      epoll_ctl(poll, EPOLL_CTL_DEL, counter->descriptor(), nullptr);
      waiters.erase(found);
    }
    return result;
  }

  std::mutex mutex;
  int poll = -1;
  std::map<SignalCounter *, Waiters> waiters;
};

// Returns the watch of this process. A forked process has none of its parent's threads and gets a watch of its own. No
// watch is ever destroyed.
Watch &watch() {
  static constinit std::atomic<Watch *> current{nullptr};
  Watch *known = current.load();
  while (!known || known->process != getpid()) {
    auto made = std::make_unique<Watch>();
    if (current.compare_exchange_strong(known, made.get()))
      return *made.release();
  }
  return *known;
}

} // namespace

void takeSignal(const std::shared_ptr<SignalCounter> &counter, std::function<void(bool)> done) {
  watch().add(counter, std::move(done));
}

} // namespace lanecl::icd
