// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of a batch that is the same for all of its runs.
#pragma once

#include "ndrange/ndrange.h"
#include "ndrange/suspended_groups.h"
#include "scheduler/batch.h"

#include <deque>
#include <optional>

namespace lanecl::scheduler {

// A launch that was checked and whose arguments were copied once, for any number of runs.
class PreparedLaunch {
public:
  PreparedLaunch(Launch what, const NdRange &groups);
  PreparedLaunch(const PreparedLaunch &) = delete;
  PreparedLaunch &operator=(const PreparedLaunch &) = delete;

  uint64_t groups() const { return range.groups(); }
  uint64_t localBytes() const { return launch.local_bytes; }
  uint64_t scratchBytes() const { return launch.scratch_bytes; }
  uint64_t stackBytes() const { return launch.stack_bytes; }
  const Suspension *waiting() const { return launch.waiting; }
  void run(const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const {
    range.run(launch.info, worker, begin, end);
  }
  GroupToRun toRun(uint64_t group) const { return {&launch, &range, arguments.get(), group}; }

private:
  struct Free {
    void operator()(std::byte *memory) const;
  };

  Launch launch; // info.arguments points to the member `arguments`
  std::unique_ptr<std::byte, Free> arguments;
  NdRange range;
};

// See scheduler/batch.h. Immutable, apart from the measured times.
class Batch {
public:
  // One launch of a stage. A stage numbers the work-groups of its launches consecutively; `end` is one past the
  // launch's last number.
  struct Part {
    PreparedLaunchPtr launch;
    uint64_t end;
  };
  struct Stage {
    std::vector<Part> parts;
    mutable LaunchHistory history; // average time of the stage's work-groups

    uint64_t groups() const { return parts.empty() ? 0 : parts.back().end; }
    const Suspension *waiting = nullptr; // set if work-groups of the stage may be suspended; null: none may
    void run(const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const;
    GroupToRun toRun(uint64_t group) const;
  };

  Batch(const BatchStages &stages, const Batch *replaced);

  const std::deque<Stage> &stages() const { return list; }
  uint64_t localBytes() const { return local_bytes; }
  uint64_t scratchBytes() const { return scratch_bytes; }
  uint64_t stackBytes() const { return stack_bytes; }
  bool waits() const; // whether work-groups of any stage may be suspended

private:
  void addStage(const std::vector<PreparedLaunchPtr> &launches);

  std::deque<Stage> list;
  uint64_t local_bytes = 0, scratch_bytes = 0, stack_bytes = 0; // the most that any launch needs
};

} // namespace lanecl::scheduler
