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

  bool bindThisThread() const; // false when the system refuses: a processor may have been taken away

private:
  ProcessorSet() = default;
  std::vector<unsigned long> words; // a bit for each processor, as the system takes them
};

// For a scope the thread is bound; then it gets back what it had. Does nothing on a thread that is bound already.
class Confinement {
public:
  explicit Confinement(const ProcessorSet *set); // null: does nothing
  ~Confinement();
  Confinement(const Confinement &) = delete;
  Confinement &operator=(const Confinement &) = delete;

private:
  friend class Unconfined;
  const ProcessorSet *set = nullptr; // null: not bound
  std::optional<ProcessorSet> before;
};

// For a scope the thread is where it would be without its confinement: others' code runs there, and the threads that it
// makes inherit their processors.
class Unconfined {
public:
  Unconfined();
  ~Unconfined();
  Unconfined(const Unconfined &) = delete;
  Unconfined &operator=(const Unconfined &) = delete;

private:
  const Confinement *const outer;
};

} // namespace lanecl::scheduler
