// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which signal of a semaphore a command waits for, for check mode's order of commands.
#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <mutex>

namespace lanecl::icd {

// Signals and waits meet in the order in which they are added, whichever of the two comes first. A signal is the id of
// its command. A wait that comes first gets the id of an awaited signal. Another process may signal the semaphore, too,
// of which nobody tells. But once the host has seen the end of the command that waits, its signal has come, and no
// later one meets the wait: `is_seen` says so of the id of an awaited signal. Thread-safe.
class SignalOrder {
public:
  // Adds a wait. Returns the id of the signal that it meets, or what `make_awaited` returns for a later one.
  template <class Make, class IsSeen> uint64_t addWait(const Make &make_awaited, const IsSeen &is_seen) {
    const std::lock_guard lock(mutex_);
    std::erase_if(awaited_, is_seen);
    assert((signals_.empty() || awaited_.empty()) && "a signal has not met the wait that came before it");
    if (!signals_.empty())
      return take(signals_);
    awaited_.push_back(make_awaited());
    return awaited_.back();
  }

  // Adds a signal. Returns the id of the awaited signal that it is, or 0 if no wait has come before it.
  template <class IsSeen> uint64_t addSignal(uint64_t command, const IsSeen &is_seen) {
    const std::lock_guard lock(mutex_);
    std::erase_if(awaited_, is_seen);
    assert((signals_.empty() || awaited_.empty()) && "a wait has not met the signal that came before it");
    if (!awaited_.empty())
      return take(awaited_);
    signals_.push_back(command);
    return 0;
  }

private:
  static uint64_t take(std::deque<uint64_t> &ids) {
    const uint64_t first = ids.front();
    ids.pop_front();
    return first;
  }

  std::mutex mutex_;
  std::deque<uint64_t> signals_, awaited_; // those that have not met; one of the lists is empty
};

} // namespace lanecl::icd
