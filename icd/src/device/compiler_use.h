// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps the compiler from running while the process exits or forks.
#pragma once

#include <cstddef>
#include <functional>

namespace lanecl::icd {

// Guards a scope in which the compiler runs.
//
// The compiler must not run during the destructors of its own libraries. exit() therefore makes the compilations of
// other threads stop, waits for them, and refuses new ones. A process must not be forked during a compilation either,
// because the compiler's locks would stay locked in the forked process: fork() waits until all compilations have ended.
// Both waits end after 10 seconds at the latest.
class CompilerUse {
public:
  static constexpr const char *kRefused = "error: the compiler has shut down, because the process is exiting\n";

  CompilerUse();
  ~CompilerUse();
  CompilerUse(const CompilerUse &) = delete;
  CompilerUse &operator=(const CompilerUse &) = delete;

  explicit operator bool() const { return allowed_; } // false: the process is exiting

  // Registers the handlers of exit() and fork(). Called once, before the first compilation.
  static void watchProcess();
  // Prepares a thread that may call exit(). Called in all threads that are known to, which are those that use OpenCL.
  static void watchThread();
  // Called within such a scope after libraries were loaded, whose destructors must not run during a compilation.
  static void librariesLoaded();

  // Guards a scope of a thread that works for another one, which is itself in a CompilerUse and waits for this thread.
  // The thread counts as part of the other one's use: a fork() that waits for the other thread does not block this one,
  // and this thread may itself fork or exit.
  class Part {
  public:
    Part();
    ~Part();
    Part(const Part &) = delete;
    Part &operator=(const Part &) = delete;

  private:
    const bool is_first;
  };

private:
  const bool allowed_;
};

// Calls work(0), work(1) … work(count - 1), which compile, on as many threads as the device has; see
// Vectorizer::forEach(). Without a vectorizer the calls are made in turn.
void compileTogether(size_t count, const std::function<void(size_t)> &work);

} // namespace lanecl::icd
