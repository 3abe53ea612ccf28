// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which processors a thread runs on. The threads of a sub-device keep to its processors while they run its commands.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace lanecl::scheduler {

class ProcessorSet {
public:
  explicit ProcessorSet(std::span<const unsigned> processors);
  static std::optional<ProcessorSet> ofThisThread(); // nothing when the system does not say

  std::vector<unsigned> numbers() const;

  bool bindThisThread() const; // false when the system refuses: a processor may have been taken away

private:
  ProcessorSet() = default;
  std::vector<unsigned long> words; // a bit for each processor, as in cpu_set_t
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
  const ProcessorSet *set = nullptr; // null: not bound
  std::optional<ProcessorSet> before;
};

// For a scope, gives the thread back the affinity that it had before it was bound. Used where the host program's code
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
