// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Destructor callbacks of contexts and memory objects: called once, the last registered first, with no lock held.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace lanecl::icd {

class CallbackStack {
public:
  void push(std::function<void()> callback) {
    const std::lock_guard lock(mutex_);
    callbacks_.push_back(std::move(callback));
  }
  // Called in destructors, which exceptions of the application's callbacks must not leave.
  void runAll() noexcept {
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
      } catch (...) {
      }
    }
  }

private:
  std::mutex mutex_;
  std::vector<std::function<void()>> callbacks_;
};

} // namespace lanecl::icd
