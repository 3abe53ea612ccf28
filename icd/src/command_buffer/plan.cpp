// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Divides the stages of a command buffer among the batches of its devices.

#include "command_buffer/plan.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace lanecl::icd {
namespace {

// Returns the batch of the replaced plan whose measured times the part with this index takes over, or null.
scheduler::BatchPtr replacedBatch(const Plan *replaced, size_t part) {
  return replaced && part < replaced->parts.size() ? replaced->parts[part].batch : nullptr;
}

// Makes the plan for commands that all run on one device: a single batch with all `count` stages.
PlanPtr makeSimplePlan(const std::vector<Recorded> &commands, size_t count, size_t device, const Plan *replaced) {
  scheduler::BatchStages stages(count);
  for (const Recorded &command : commands)
    if (command.work.launch) {
      assert(command.stages != 0 && command.stages <= count && "there is no such stage");
      stages[command.stages - 1].push_back(command.work.launch);
    }
  auto plan = std::make_shared<Plan>();
  plan->parts.push_back({device, scheduler::makeBatch(stages, replacedBatch(replaced, 0)), {}});
  return plan;
}

// Makes the plan for several devices.
//
// Stages are numbered for all devices together, so that whatever a stage waits for has a lower number. For that reason
// neither stages, nor parts that consist of successive stages of a device, can wait for each other in a cycle. Example:
//   device 0:  stage 1, stage 3           part 0: stage 1, part 2: stage 3, which waits for part 1
//   device 1:  stage 2, waits for 1       part 1: stage 2, which waits for part 0
class Planner {
public:
  explicit Planner(size_t devices) : devices_(devices), stages_(devices) {}

  // Sorts the commands into the stages of their devices, and finds out which stages each stage waits for.
  void gather(const std::vector<Recorded> &commands, const std::vector<size_t> &devices);
  // Decides which stages start and end a part.
  void cut();
  // Makes the parts and their batches.
  PlanPtr join(const Plan *replaced);

private:
  // For each device the number of the last stage that must be done, or 0.
  using Clock = std::vector<size_t>;
  struct Stage {
    std::vector<scheduler::PreparedLaunchPtr> launches;
    Clock after;
    bool begins = false, ends = false; // the stage is the first, or the last, one of a part
    size_t part = 0;
  };
  struct Part {
    size_t device;
    scheduler::BatchStages stages;
    std::vector<size_t> after;
  };

  static void raise(Clock &clock, const Clock &other) {
    std::transform(clock.begin(), clock.end(), other.begin(), clock.begin(),
                   [](size_t a, size_t b) { return std::max(a, b); });
  }
  void openParts();
  void closeParts();

  size_t devices_;
  std::vector<std::map<size_t, Stage>> stages_; // for each device its stages, by their numbers
  std::vector<Part> parts_;
};

void Planner::gather(const std::vector<Recorded> &commands, const std::vector<size_t> &devices) {
  std::vector<Clock> done; // for each command the stages that are done when the command is
  Clock all(devices_, 0);
  for (const Recorded &command : commands) {
    assert(command.after && "what a command waits for was not kept, although there are several devices");
    Clock clock = command.after->all ? all : Clock(devices_, 0);
    for (cl_sync_point_khr point : command.after->commands) {
      assert(point != 0 && point <= done.size() && "a command waits for a later one");
      raise(clock, done[point - 1]);
    }
    if (!command.is_barrier) {
      assert(command.queue < devices.size() && *std::max_element(clock.begin(), clock.end()) < command.stages &&
             "whatever a command waits for is in an earlier stage");
      const size_t device = devices[command.queue];
      Stage &stage = stages_[device].try_emplace(command.stages, Stage{{}, Clock(devices_, 0)}).first->second;
      raise(stage.after, clock);
      if (command.work.launch)
        stage.launches.push_back(command.work.launch);
      clock[device] = command.stages;
    }
    raise(all, clock);
    done.push_back(std::move(clock));
  }
}

// A part starts where its device has to wait for another device, and ends where another device waits for it.
void Planner::cut() {
  for (size_t device = 0; device < devices_; ++device) {
    Clock waited(devices_, 0);
    for (auto &[number, stage] : stages_[device])
      for (size_t other = 0; other < devices_; ++other) {
        size_t &last = stage.after[other];
        if (other == device || last <= waited[other]) {
          last = 0; // an earlier stage of this device has waited for that already
          continue;
        }
        waited[other] = last;
        stage.begins = true;
        stages_[other].at(last).ends = true;
      }
  }
}

// Numbers the parts in the order in which they are enqueued, which is that of their first stages.
void Planner::openParts() {
  std::multimap<size_t, std::pair<size_t, Stage *>> first;
  for (size_t device = 0; device < devices_; ++device) {
    bool open = false;
    for (auto &[number, stage] : stages_[device]) {
      stage.begins |= !open;
      if (stage.begins)
        first.insert({number, {device, &stage}});
      open = !stage.ends;
    }
  }
  for (const auto &[number, begin] : first) {
    begin.second->part = parts_.size();
    parts_.push_back({begin.first, {}, {}});
  }
}

// Puts the stages into their parts. A part waits for the part before it on its device, and for those of other devices
// that its stages wait for.
void Planner::closeParts() {
  for (std::map<size_t, Stage> &stages : stages_) {
    Stage *before = nullptr;
    for (auto &[number, stage] : stages) {
      assert((stage.begins || before) && "the first stage of a device begins a part");
      if (!stage.begins)
        stage.part = before->part;
      else if (before)
        parts_[stage.part].after.push_back(before->part);
      parts_[stage.part].stages.push_back(std::move(stage.launches));
      before = &stage;
    }
  }
  for (std::map<size_t, Stage> &stages : stages_)
    for (auto &[number, stage] : stages)
      for (size_t other = 0; other < devices_; ++other)
        if (stage.after[other] != 0)
          parts_[stage.part].after.push_back(stages_[other].at(stage.after[other]).part);
}

PlanPtr Planner::join(const Plan *replaced) {
  openParts();
  closeParts();
  auto plan = std::make_shared<Plan>();
  for (Part &part : parts_) {
    assert(
        std::all_of(part.after.begin(), part.after.end(), [&](size_t other) { return other < plan->parts.size(); }) &&
        "a part waits for one that is enqueued later");
    plan->parts.push_back({part.device, scheduler::makeBatch(part.stages, replacedBatch(replaced, plan->parts.size())),
                           std::move(part.after)});
  }
  return plan;
}

} // namespace

PlanPtr makePlan(const std::vector<Recorded> &commands, size_t stages, const std::vector<size_t> &devices,
                 const Plan *replaced) {
  size_t first = SIZE_MAX, last = 0;
  for (const Recorded &command : commands)
    if (!command.is_barrier) {
      first = std::min(first, devices[command.queue]);
      last = std::max(last, devices[command.queue]);
    }
  if (first >= last)
    return makeSimplePlan(commands, stages, last, replaced);
  Planner planner(last + 1);
  planner.gather(commands, devices);
  planner.cut();
  return planner.join(replaced);
}

} // namespace lanecl::icd
