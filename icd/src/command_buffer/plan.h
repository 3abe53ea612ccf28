// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The plan of a command buffer: the batches that it runs. If all commands are of one device, they are one batch,
// whatever queues they were recorded to. Otherwise each device has batches of its own, which start and end where
// devices wait for each other.
#pragma once

#include "icd/command_buffer_api.h"
#include "scheduler/batch.h"

#include <memory>
#include <vector>

namespace lanecl::icd {

// The work of a recorded command.
struct RecordedWork {
  scheduler::PreparedLaunchPtr launch; // null: there is nothing to run
  bool complete = true;                // false: some arguments are missing
};

// A recorded command and its place in the order.
struct Recorded {
  // The commands that it waits for. They are needed only if commands may be of several devices.
  struct After {
    std::vector<cl_sync_point_khr> commands;
    bool all; // it also waits for all commands that were recorded before it
  };

  // The stage in which it runs, counted from 1 over all devices; for a barrier the last stage that it waits for.
  size_t stages;
  RecordedWork work;
  uint32_t queue = 0; // index among the queues of the command buffer
  bool is_barrier = false;
  std::shared_ptr<const After> after; // null in a context of one device
};

// The batches that are enqueued, in the order of enqueueing.
struct Plan {
  struct Part {
    size_t device;
    scheduler::BatchPtr batch;
    std::vector<size_t> after; // indices of the earlier parts that it waits for
  };
  std::vector<Part> parts; // at least one
};
using PlanPtr = std::shared_ptr<const Plan>;

// Makes the plan of `commands`. `stages` is the number of the last stage, and `devices` holds the device index of each
// queue. `replaced`, if not null, is a plan of the same commands with other launches, whose measured times are taken
// over.
PlanPtr makePlan(const std::vector<Recorded> &commands, size_t stages, const std::vector<size_t> &devices,
                 const Plan *replaced);

} // namespace lanecl::icd
