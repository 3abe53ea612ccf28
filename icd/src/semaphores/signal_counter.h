// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counts the signals of a semaphore that were not waited for yet. The count is kept in an eventfd. All semaphores that
// were made from one handle share it, in other processes, too.
#pragma once

#include <cstdint>
#include <memory>

namespace lanecl::icd {

class SignalCounter {
public:
  static std::shared_ptr<SignalCounter> make(); // null: the process has no descriptors left
  // Makes the counter of a handle that the application imports, and takes ownership of the descriptor. Returns null,
  // without taking it, if the descriptor is no such handle.
  static std::shared_ptr<SignalCounter> adopt(int descriptor);
  SignalCounter(const SignalCounter &) = delete;
  SignalCounter &operator=(const SignalCounter &) = delete;
  ~SignalCounter();

  bool signal(); // adds a signal; false: there are too many
  bool take();   // takes a signal if there is one
  bool isSignaled() const;
  int descriptor() const { return descriptor_; }
  // Returns the number that the system gives to the count, whatever handle it is reached by; 0: the system has none.
  uint64_t id() const;
  int duplicate() const; // returns a new descriptor of the same counter; -1: the process has no descriptors left

private:
  explicit SignalCounter(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

} // namespace lanecl::icd
