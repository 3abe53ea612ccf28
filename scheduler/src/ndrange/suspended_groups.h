// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-groups that wait for others in loops (abi::Suspension). A thread that runs one keeps its memory while it waits,
// begins others, and goes on with it when its turn comes.
#pragma once

#include "core/blocked.h"
#include "core/place.h"
#include "memory/worker_memory.h"
#include "ndrange/ndrange.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace lanecl::scheduler {

// One work-group to be run.
struct GroupToRun {
  const Launch *launch;
  const NdRange *range;
  const std::byte *arguments;
  uint64_t number; // in the range
};

// Of the largest work-group.
struct GroupBytes {
  uint64_t local, scratch;
};

// What the threads know of each other that run the groups of one command.
class WaitingWatch {
public:
  void enter() { ++threads; }
  void leave() { --threads; }
  void beginIdle() { ++idle; }
  void endIdle() {
    --idle;
    moves.fetch_add(1, std::memory_order_relaxed);
  }
  bool allIdle() const { return idle.load() == threads.load(); }
  uint64_t moved() const { return moves.load(std::memory_order_relaxed); }
  bool takeReport() { return !reported.exchange(true); } // once

private:
  std::atomic<int> threads{0}, idle{0};
  std::atomic<uint64_t> moves{0};
  std::atomic<bool> reported{false};
};

// Of one thread.
class SuspendedGroups {
public:
  SuspendedGroups(const Waiting &waits, WaitingWatch &watch, bool alone) : waits(waits), watch(watch), alone(alone) {
    watch.enter();
  }
  ~SuspendedGroups();
  SuspendedGroups(const SuspendedGroups &) = delete;
  SuspendedGroups &operator=(const SuspendedGroups &) = delete;

  enum class End { Done, SteppedAside, NoMemory };
  // take() gives the next GroupToRun, as an optional; stepAside() says whether the thread has to leave, which it does
  // only while no work-group of its own waits; isUrgent() says whether a more urgent command is ready.
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
  struct Group {
    GrowingBlock block;
    abi::LaunchInfo info{};
    abi::WorkerMemory memory{};
    abi::Suspension suspension{};
    GroupCall call{};
    const Launch *launch = nullptr;
    std::unique_ptr<GroupRecord> record{}; // or null
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

  const Waiting &waits;
  WaitingWatch &watch;
  const bool alone;                            // there are no other threads
  bool exhausted = false;                      // all groups have begun
  bool impatient = false;                      // to begin another group, although some wait
  std::vector<std::unique_ptr<Group>> waiting; // in the order in which they began
  std::vector<std::unique_ptr<Group>> spare;
  // While it is idle, or busy for long: what the groups wait for may be another command, which takes this place but
  // needs another thread.
  struct Absence {
    Blocked blocked;
    Lending lending;
  };
  std::optional<Absence> absent;
  uint64_t bytes = 0;      // of all that wait
  uint64_t idle_since = 0; // 0: not idle
  uint64_t busy_since = 0; // the first progress since a group last began or ended; 0: none yet
  uint64_t idle_rounds = 0, rounds = 0;
  uint64_t seen_moves = 0, still_since = 0; // no thread has got on since then
};

} // namespace lanecl::scheduler
