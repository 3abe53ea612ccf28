// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which processors a thread runs on. While a thread runs commands of a sub-device, it is bound to the sub-device's
// processors.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace lanecl::scheduler {

// A set of processors, by the system's numbers.
class ProcessorSet {
public:
  explicit ProcessorSet(std::span<const unsigned> processors);
  static std::optional<ProcessorSet> ofThisThread(); // returns nothing when the system does not tell

  std::vector<unsigned> numbers() const;

  bool bindThisThread() const; // returns false when the system refuses: a processor may have been taken away

private:
  ProcessorSet() = default;
  std::vector<unsigned long> words; // one bit for each processor, as in cpu_set_t
};

// Binds the thread for a scope and restores its affinity at the end. Does nothing on a thread that is bound already.
class ScopedAffinity {
public:
  explicit ScopedAffinity(const ProcessorSet *set); // null: does nothing
  ~ScopedAffinity();
  ScopedAffinity(const ScopedAffinity &) = delete;
  ScopedAffinity &operator=(const ScopedAffinity &) = delete;

private:
  friend class ScopedOwnAffinity;
  const ProcessorSet *set = nullptr; // null: this object has not bound the thread
  std::optional<ProcessorSet> before;
};

// Gives the thread back, for a scope, the affinity that it had before it was bound. Used where code of the host program
// runs or a thread is started, because a new thread inherits the affinity.
class ScopedOwnAffinity {
public:
  ScopedOwnAffinity();
  ~ScopedOwnAffinity();
  ScopedOwnAffinity(const ScopedOwnAffinity &) = delete;
  ScopedOwnAffinity &operator=(const ScopedOwnAffinity &) = delete;

private:
  const ScopedAffinity *const outer;
};

} // namespace lanecl::scheduler
