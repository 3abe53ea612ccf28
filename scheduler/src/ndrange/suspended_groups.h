// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs work-groups that wait for others in loops (abi::Suspension). A work-group that waits returns to this code and
// keeps its memory. The thread then starts other work-groups, and resumes the waiting one when its turn comes.
#pragma once

#include "core/blocked.h"
#include "core/place.h"
#include "memory/worker_memory.h"
#include "ndrange/ndrange.h"

#include <atomic>
#include <cassert>
#include <memory>
#include <optional>
#include <vector>

namespace lanecl::scheduler {

// One work-group to be run.
struct GroupToRun {
  const Launch *launch;
  const NdRange *range;
  const std::byte *arguments;
  uint64_t number; // linear number in the range
};

// Sizes of the largest work-group, in bytes.
struct GroupBytes {
  uint64_t local, scratch;
};

// What the threads that run the groups of one command know of each other: how many there are, how many are idle, and
// whether any has made progress.
class WaitingWatch {
public:
  void enter() { ++threads; }
  void leave() {
    [[maybe_unused]] const int left = --threads;
    assert(left >= 0 && "more threads have left the command than entered it");
  }
  void beginIdle() { ++idle; }
  void endIdle() {
    [[maybe_unused]] const int left = --idle;
    assert(left >= 0 && "more threads are no longer idle than were idle");
    moves.fetch_add(1, std::memory_order_relaxed);
  }
  bool allIdle() const { return idle.load() == threads.load(); }
  // Counts how often a thread has stopped being idle.
  uint64_t moved() const { return moves.load(std::memory_order_relaxed); }
  bool takeReport() { return !reported.exchange(true); } // true only for the first caller

private:
  std::atomic<int> threads{0}, idle{0};
  std::atomic<uint64_t> moves{0};
  std::atomic<bool> reported{false};
};

// The suspended work-groups of one thread, for one command.
class SuspendedGroups {
public:
  SuspendedGroups(const Suspension &waits, WaitingWatch &watch, bool alone) : waits(waits), watch(watch), alone(alone) {
    watch.enter();
  }
  ~SuspendedGroups();
  SuspendedGroups(const SuspendedGroups &) = delete;
  SuspendedGroups &operator=(const SuspendedGroups &) = delete;

  // SteppedAside: the thread has left the rest to others. NoMemory: a group could not be started for lack of memory.
  enum class End { Done, SteppedAside, NoMemory };
  // Runs work-groups until none is left. take() returns the next GroupToRun as an optional. stepAside() says whether
  // the thread has to leave, which it does only while none of its own work-groups waits. isUrgent() says whether a more
  // urgent command is ready.
  template <typename Take, typename StepAside, typename IsUrgent>
  End run(GroupBytes largest, Take take, StepAside stepAside, IsUrgent isUrgent) {
    while (true) {
      if (waiting.empty() && stepAside())
        return End::SteppedAside;
      if (!waiting.empty() && isUrgent())
        makeWay();
      if (wantsMore() && reserve(largest)) {
        if (const std::optional<GroupToRun> group = take())
          begin(*group);
        else
          exhausted = true;
      } else if (waiting.empty()) {
        return exhausted ? End::Done : End::NoMemory;
      }
      goOn();
    }
  }

private:
  // A work-group with its memory. After it has ended, the memory is used for another one.
  struct Group {
    GrowingBlock block;
    abi::LaunchInfo info{};
    abi::WorkerMemory memory{};
    abi::Suspension suspension{};
    GroupCall call{};
    const Launch *launch = nullptr;
    std::unique_ptr<GroupRecord> record{}; // null when nothing is recorded
  };

  bool wantsMore() const;
  bool reserve(GroupBytes largest);
  bool addSpare(GroupBytes largest);
  void begin(const GroupToRun &group);
  void goOn();
  bool call(Group &group);
  void makeWay();
  void noteIdle();
  void noteBegunOrEnded();
  void noteBusy();
  void endIdle();
  void report(uint64_t seconds);

  const Suspension &waits;
  WaitingWatch &watch;
  const bool alone;                            // whether the command has no other threads
  bool exhausted = false;                      // all groups have been started
  bool impatient = false;                      // whether to start another group although some wait
  std::vector<std::unique_ptr<Group>> waiting; // in the order in which they started
  std::vector<std::unique_ptr<Group>> spare;   // memory for groups that are not started yet
  // Lends this thread's place, and keeps own threads ready. It exists while the thread is idle, or busy for long
  // without an end of a group: what its groups wait for may be another command, which needs a place and a thread.
  struct Absence {
    Blocked blocked;
    Lending lending;
  };
  std::optional<Absence> absent;
  uint64_t bytes = 0;      // memory of all groups that wait
  uint64_t idle_since = 0; // 0: the thread is not idle
  // When progress was first made since a group last started or ended; 0: none was.
  uint64_t busy_since = 0;
  uint64_t idle_rounds = 0, rounds = 0;
  // The time since which no thread has made progress, and watch.moved() at that time.
  uint64_t seen_moves = 0, still_since = 0;
};

} // namespace lanecl::scheduler
