// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The callbacks of clSetContextDestructorCallback, clSetMemObjectDestructorCallback and clSetProgramReleaseCallback.
// Each is called once, the last registered first, with no lock held, so that a callback may call the API.
#pragma once

#include <cxxabi.h>
#include <functional>
#include <mutex>
#include <vector>

namespace lanecl::icd {

// A stack of callbacks, in the order of registration. Thread-safe.
class CallbackStack {
public:
  void push(std::function<void()> callback) {
    const std::lock_guard lock(mutex_);
    callbacks_.push_back(std::move(callback));
  }
  bool empty() const {
    const std::lock_guard lock(mutex_);
    return callbacks_.empty();
  }
  // Calls and drops all callbacks. Exceptions that the application's callbacks throw are swallowed, except the one by
  // which pthread_exit unwinds the thread.
  void runAll() {
    while (true) {
      std::function<void()> next;
      {
        const std::lock_guard lock(mutex_);
        if (callbacks_.empty())
          return;
        next = std::move(callbacks_.back());
        callbacks_.pop_back();
      }
      try {
        next();
      } catch (const ::abi::__forced_unwind &) { // pthread_exit
        throw;
      } catch (...) {
      }
    }
  }

private:
  mutable std::mutex mutex_;
  std::vector<std::function<void()>> callbacks_;
};

} // namespace lanecl::icd
