// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How often a semaphore was signaled and not waited for. It is an eventfd, which all semaphores share that were made
// from one handle, also those of other processes.
#pragma once

#include <memory>

namespace lanecl::icd {

class SignalCounter {
public:
  static std::shared_ptr<SignalCounter> make(); // null: the process has no descriptors left
  // Of an application's handle, which it owns from then on. Null: the descriptor is no such handle.
  static std::shared_ptr<SignalCounter> adopt(int descriptor);
  SignalCounter(const SignalCounter &) = delete;
  SignalCounter &operator=(const SignalCounter &) = delete;
  ~SignalCounter();

  bool signal(); // false: there are too many signals
  bool take();   // false: there is none
  bool isSignaled() const;
  int descriptor() const { return descriptor_; }
  int duplicate() const; // a handle of the same; -1: the process has no descriptors left

private:
  explicit SignalCounter(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

} // namespace lanecl::icd
