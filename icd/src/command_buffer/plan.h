// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a command buffer runs. Commands of one device are one batch, whatever queues they were recorded to. With several
// devices each has batches of its own, which begin and end where the devices wait for each other.
#pragma once

#include "icd/command_buffer_api.h"
#include "scheduler/batch.h"

#include <memory>
#include <vector>

namespace lanecl::icd {

// What a command does when it is run.
struct RecordedWork {
  scheduler::PreparedLaunchPtr launch; // null: nothing
  bool complete = true;                // false: some arguments are missing
};

struct Recorded {
  // What it waits for, needed where commands may be of several devices.
  struct After {
    std::vector<cl_sync_point_khr> commands;
    bool all; // that were recorded before it
  };

  size_t stages; // that must be done before it is, of all devices together
  RecordedWork work;
  uint32_t queue = 0; // its place among those of the command buffer
  bool is_barrier = false;
  std::shared_ptr<const After> after; // null: in a context of one device
};

struct Plan {
  struct Part {
    size_t device;
    scheduler::BatchPtr batch;
    std::vector<size_t> after; // earlier parts
  };
  std::vector<Part> parts; // at least one
};
using PlanPtr = std::shared_ptr<const Plan>;

// `stages`: of all commands. `devices`: the number of each queue's device, counted from 0. `replaced`, if not null, is
// a plan of the same commands with other launches: its measured times are taken over.
PlanPtr makePlan(const std::vector<Recorded> &commands, size_t stages, const std::vector<size_t> &devices,
                 const Plan *replaced);

} // namespace lanecl::icd
