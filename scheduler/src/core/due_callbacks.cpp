// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/due_callbacks.h"

#include "core/blocked.h"

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>

namespace lanecl::scheduler {

using Clock = std::chrono::steady_clock;

class DueCallbacks::State {
public:
  uint64_t add() {
    const std::lock_guard lock(mutex);
    due_since.emplace_hint(due_since.end(), next, Clock::now());
    ++count;
    return next++;
  }

  void remove(uint64_t number) {
    const std::lock_guard lock(mutex);
    [[maybe_unused]] const size_t erased = due_since.erase(number);
    assert(erased == 1 && "a callback has returned that was not due");
    --count;
    assert(count == due_since.size() && "readers without the lock see another number of callbacks");
    removed.notify_all();
  }

  void await() {
    if (count == 0)
      return;
    const Blocked blocked;
    std::unique_lock lock(mutex);
    if (due_since.empty())
      return;
    // Callbacks that become due during the wait have higher numbers and are not waited for.
    const uint64_t behind = next;
    removed.wait_until(lock, due_since.rbegin()->second + kPatience, [&] { return noneWorthWaiting(behind); });
  }

private:
  // Returns whether each callback with a number below `behind` has returned or has been due for `kPatience`. Called
  // with the lock held.
  bool noneWorthWaiting(uint64_t behind) const {
    const Clock::time_point long_ago = Clock::now() - kPatience;
    for (const auto &[number, since] : due_since)
      if (number < behind && since > long_ago)
        return false;
    return true;
  }

  std::mutex mutex;
  std::condition_variable removed;
  std::map<uint64_t, Clock::time_point> due_since; // by number, which is also the order of time
  uint64_t next = 0;
  std::atomic<size_t> count{0}; // size of the map, for readers without the lock
};

std::shared_ptr<DueCallbacks::State> DueCallbacks::makeState() {
  return std::make_shared<State>();
}

DueCallbacks::Token DueCallbacks::add() {
  try {
    const uint64_t number = state->add();
    return {nullptr, [state = state, number](const void *) { state->remove(number); }};
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void DueCallbacks::await() const {
  state->await();
}

} // namespace lanecl::scheduler
