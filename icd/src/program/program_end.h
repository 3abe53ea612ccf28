// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The end of a program: destructors of its variables run on the device, then its release callbacks are called.
#pragma once

#include "api/callbacks.h"
#include "scheduler/scheduler.h"

#include <memory>
#include <utility>
#include <vector>

namespace lanecl::icd {

// Shared by a program, its executables and their destructors: the last of them to go calls the callbacks.
class ReleaseCallbacks {
public:
  ReleaseCallbacks() = default;
  ReleaseCallbacks(const ReleaseCallbacks &) = delete;
  ReleaseCallbacks &operator=(const ReleaseCallbacks &) = delete;
  ~ReleaseCallbacks() {
    if (!callbacks_->empty())
      scheduler::callHostCode([all = callbacks_] { all->runAll(); });
  }

  void push(std::function<void()> callback) { callbacks_->push(std::move(callback)); }

private:
  const std::shared_ptr<CallbackStack> callbacks_ = std::make_shared<CallbackStack>();
};

// In a call that releases an object: waits at its end for the destructors that this has begun, and then calls the
// callbacks. When a command holds the last reference nobody waits for them.
class DestructorWait {
public:
  DestructorWait() : outer_(std::exchange(innermost, this)) {}
  DestructorWait(const DestructorWait &) = delete;
  DestructorWait &operator=(const DestructorWait &) = delete;
  ~DestructorWait() {
    innermost = outer_;
    for (const Begun &destructors : begun_)
      destructors.done->wait();
  }

  // False when no such call is in progress.
  static bool add(const scheduler::EventPtr &done, const std::shared_ptr<ReleaseCallbacks> &callbacks) {
    if (innermost)
      innermost->begun_.push_back({callbacks, done});
    return innermost != nullptr;
  }

private:
  static inline thread_local DestructorWait *innermost = nullptr;
  DestructorWait *outer_;
  struct Begun {
    std::shared_ptr<ReleaseCallbacks> callbacks; // or null
    scheduler::EventPtr done;
  };
  std::vector<Begun> begun_;
};

} // namespace lanecl::icd
