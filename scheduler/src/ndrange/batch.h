// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is the same for every run of a batch.
#pragma once

#include "ndrange/ndrange.h"
#include "ndrange/suspended_groups.h"
#include "scheduler/batch.h"

#include <deque>
#include <optional>

namespace lanecl::scheduler {

class PreparedLaunch {
public:
  PreparedLaunch(Launch what, const NdRange &groups);
  PreparedLaunch(const PreparedLaunch &) = delete;
  PreparedLaunch &operator=(const PreparedLaunch &) = delete;

  uint64_t groups() const { return range.groups(); }
  uint64_t localBytes() const { return launch.local_bytes; }
  uint64_t scratchBytes() const { return launch.scratch_bytes; }
  uint64_t stackBytes() const { return launch.stack_bytes; }
  const Waiting *waiting() const { return launch.waiting; }
  void run(const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const {
    range.run(launch.info, worker, begin, end);
  }
  GroupToRun toRun(uint64_t group) const { return {&launch, &range, arguments.get(), group}; }

private:
  struct Free {
    void operator()(std::byte *memory) const;
  };

  Launch launch; // info.arguments points to `arguments`
  std::unique_ptr<std::byte, Free> arguments;
  NdRange range;
};

class Batch {
public:
  // A stage numbers the work-groups of its launches consecutively; a launch's end before `end`.
  struct Part {
    PreparedLaunchPtr launch;
    uint64_t end;
  };
  struct Stage {
    std::vector<Part> parts;
    mutable LaunchHistory history; // of its work-groups on average

    uint64_t groups() const { return parts.empty() ? 0 : parts.back().end; }
    const Waiting *waiting = nullptr; // of work-groups of it that may be suspended; null: none may
    void run(const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const;
    GroupToRun toRun(uint64_t group) const;
  };

  Batch(const BatchStages &stages, const Batch *replaced);

  const std::deque<Stage> &stages() const { return list; }
  uint64_t localBytes() const { return local_bytes; }
  uint64_t scratchBytes() const { return scratch_bytes; }
  uint64_t stackBytes() const { return stack_bytes; }
  bool waits() const; // some work-groups of it may be suspended

private:
  void addStage(const std::vector<PreparedLaunchPtr> &launches);

  std::deque<Stage> list;
  uint64_t local_bytes = 0, scratch_bytes = 0, stack_bytes = 0; // the most that any launch needs
};

} // namespace lanecl::scheduler
