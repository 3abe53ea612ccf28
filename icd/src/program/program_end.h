// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The end of a program: the destructors of its variables run on the device, and then its release callbacks are called.
#pragma once

#include "api/callbacks.h"
#include "scheduler/scheduler.h"

#include <memory>
#include <utility>
#include <vector>

namespace lanecl::icd {

// Calls a program's release callbacks when it is destroyed. The program, its executables and their destructors share
// it, so the last of them to go calls the callbacks.
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

// Makes a call that releases an object wait for the destructors that the release began. The callbacks follow the wait.
//
// An entry point has one as a local variable. If a command holds the last reference to the program, no entry point is
// active on its thread, and nobody waits for the destructors.
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

  // Adds destructors to wait for. Returns false if no call with a DestructorWait is in progress on this thread.
  static bool add(const scheduler::DependencyPtr &done, const std::shared_ptr<ReleaseCallbacks> &callbacks) {
    if (innermost)
      innermost->begun_.push_back({callbacks, done});
    return innermost != nullptr;
  }

private:
  // The innermost call on this thread. Calls nest when a callback releases an object.
  static inline thread_local DestructorWait *innermost = nullptr;
  DestructorWait *outer_;
  struct Begun {
    std::shared_ptr<ReleaseCallbacks> callbacks; // null: the program has none
    scheduler::DependencyPtr done;
  };
  std::vector<Begun> begun_;
};

} // namespace lanecl::icd
