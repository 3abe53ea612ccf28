// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_buffer/plan.h"

#include <algorithm>
#include <map>

namespace lanecl::icd {
namespace {

scheduler::BatchPtr replacedBatch(const Plan *replaced, size_t part) {
  return replaced && part < replaced->parts.size() ? replaced->parts[part].batch : nullptr;
}

// Of one device.
PlanPtr makeSimplePlan(const std::vector<Recorded> &commands, size_t count, size_t device, const Plan *replaced) {
  scheduler::BatchStages stages(count);
  for (const Recorded &command : commands)
    if (command.work.launch)
      stages[command.stages - 1].push_back(command.work.launch);
  auto plan = std::make_shared<Plan>();
  plan->parts.push_back({device, scheduler::makeBatch(stages, replacedBatch(replaced, 0)), {}});
  return plan;
}

// Stages are numbered for all devices together, so that what must be done before a stage has lower numbers: neither
// stages nor the parts that are made of successive ones can wait for each other.
class Planner {
public:
  explicit Planner(size_t devices) : devices_(devices), stages_(devices) {}

  void gather(const std::vector<Recorded> &commands, const std::vector<size_t> &devices);
  void cut();
  PlanPtr join(const Plan *replaced);

private:
  // The last stage of each device that must be done, or 0.
  using Clock = std::vector<size_t>;
  struct Stage {
    std::vector<scheduler::PreparedLaunchPtr> launches;
    Clock after;
    bool begins = false, ends = false; // a part
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
  std::vector<std::map<size_t, Stage>> stages_; // of each device, by their numbers
  std::vector<Part> parts_;
};

void Planner::gather(const std::vector<Recorded> &commands, const std::vector<size_t> &devices) {
  std::vector<Clock> done; // what is done when a command is
  Clock all(devices_, 0);
  for (const Recorded &command : commands) {
    Clock clock = command.after->all ? all : Clock(devices_, 0);
    for (cl_sync_point_khr point : command.after->commands)
      raise(clock, done[point - 1]);
    if (!command.is_barrier) {
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

// A part begins where its device has to wait for another one, and ends where another one waits for it.
void Planner::cut() {
  for (size_t device = 0; device < devices_; ++device) {
    Clock waited(devices_, 0);
    for (auto &[number, stage] : stages_[device])
      for (size_t other = 0; other < devices_; ++other) {
        size_t &last = stage.after[other];
        if (other == device || last <= waited[other]) {
          last = 0; // an earlier stage has waited
          continue;
        }
        waited[other] = last;
        stage.begins = true;
        stages_[other].at(last).ends = true;
      }
  }
}

// In the order in which they are enqueued: by the number of the first stage.
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

void Planner::closeParts() {
  for (std::map<size_t, Stage> &stages : stages_) {
    Stage *before = nullptr;
    for (auto &[number, stage] : stages) {
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
  for (Part &part : parts_)
    plan->parts.push_back({part.device, scheduler::makeBatch(part.stages, replacedBatch(replaced, plan->parts.size())),
                           std::move(part.after)});
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
