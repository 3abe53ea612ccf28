// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When the compiler may run, in a process that exits or forks.
#pragma once

#include <cstddef>
#include <functional>

namespace lanecl::icd {

// For a scope in which the compiler runs. It must not run during the destructors of its libraries: exit() has
// compilations in other threads abandoned and waits until they are, and no new ones begin. Nor may a process be forked
// during a compilation, because the compiler's locks would stay locked in the forked one: fork() waits until it has
// ended. Both give up after some seconds.
class CompilerUse {
public:
  static constexpr const char *kRefused = "error: nothing is compiled any more, because the process is exiting\n";

  CompilerUse();
  ~CompilerUse();
  CompilerUse(const CompilerUse &) = delete;
  CompilerUse &operator=(const CompilerUse &) = delete;

  explicit operator bool() const { return allowed_; } // false: the process is exiting

  // Before the first one, in a process that is not exiting or forking yet.
  static void watchProcess();
  // In each thread that may call exit(), as far as they are known: those that use OpenCL.
  static void watchThread();
  // When libraries have been loaded within such a scope.
  static void librariesLoaded();

  // For a thread that works for another one, which is in such a scope and waits. So a fork that waits for the other
  // thread does not hold up this one, and this one may fork or exit.
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

// Calls work(0), work(1) … work(count - 1), which compile, on as many threads as the device has. See
// Vectorizer::forEach().
void compileTogether(size_t count, const std::function<void(size_t)> &work);

} // namespace lanecl::icd
