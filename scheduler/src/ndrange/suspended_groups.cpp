// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ndrange/suspended_groups.h"

#include "threads/spin.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <new>

namespace lanecl::scheduler {
namespace {

// Of what a thread has suspended.
constexpr size_t kMostGroups = 4096;
constexpr uint64_t kMostBytes = uint64_t{1} << 30;
// Nanoseconds for which a thread waits for the others before it begins another work-group: what a work-group waits for
// is likely to come soon, and those that it begins meanwhile wait, too.
constexpr uint64_t kPatience = 20'000;
constexpr uint64_t kMostRounds = 64;         // of groups that get on without an end, before others begin, too
constexpr uint64_t kSleepAfter = 10'000'000; // nanoseconds
// Nanoseconds of one sleep: a hundredth of the time for which the thread has been idle, but no longer than
// kLongestSleep. Hundreds of threads that wait would otherwise keep the processors busy with waking up.
constexpr uint64_t kShortestSleep = 100'000, kLongestSleep = 10'000'000;
// Nanoseconds without a work-group that begins or ends, after which a thread lends its place although its work-groups
// make progress. Each turn of `do { x = *flag; barrier(…); } while (!x)` reaches a barrier, which counts as progress,
// and the loop may still wait for a command of another queue.
constexpr uint64_t kLendAfter = 1'000'000;
constexpr uint64_t kFarBelow = uint64_t{1} << 40; // keeps sums from wrapping
constexpr size_t kTail = 256;                     // behind each part, see worker_memory.cpp

constexpr size_t padded(size_t bytes) {
  return abi::align_up(bytes + kTail, abi::kMemoryAlignment);
}

void sleepFor(uint64_t nanoseconds) {
  const timespec time{0, static_cast<long>(nanoseconds)};
  nanosleep(&time, nullptr);
}

} // namespace

SuspendedGroups::~SuspendedGroups() {
  if (idle_since != 0)
    watch.endIdle();
  watch.leave();
}

bool SuspendedGroups::wantsMore() const {
  return !exhausted && (waiting.empty() || (impatient && waiting.size() < kMostGroups && bytes < kMostBytes));
}

// Before a group is taken, which cannot be given back. Afterwards nothing needs memory.
bool SuspendedGroups::reserve(GroupBytes largest) {
  try {
    const size_t all = waiting.size() + spare.size() + 1;
    for (auto *list : {&waiting, &spare})
      if (list->capacity() < all)
        list->reserve(2 * all);
    return !spare.empty() || addSpare(largest);
  } catch (const std::bad_alloc &) {
    return false;
  }
}

bool SuspendedGroups::addSpare(GroupBytes largest) {
  if (largest.local > kFarBelow || largest.scratch > kFarBelow)
    return false;
  auto group = std::make_unique<Group>();
  if (!group->block.reserve(padded(largest.scratch) + padded(largest.local)))
    return false;
  group->memory = {group->block.data() + padded(largest.scratch), group->block.data(), largest.local, largest.scratch,
                   &group->suspension};
  if (waits.makeRecord != nullptr)
    group->record = waits.makeRecord();
  spare.push_back(std::move(group));
  return true;
}

void SuspendedGroups::begin(const GroupToRun &what) {
  std::unique_ptr<Group> group = std::move(spare.back());
  spare.pop_back();
  group->info = what.launch->info;
  group->info.arguments = what.arguments;
  group->launch = what.launch;
  group->call = what.range->callOf(what.number);
  group->suspension = {};
  impatient = false;
  rounds = 0;
  if (call(*group)) {
    spare.push_back(std::move(group));
    noteBegunOrEnded();
    return;
  }
  bytes += group->block.size();
  waiting.push_back(std::move(group));
  noteBegunOrEnded();
}

// True: it is done.
bool SuspendedGroups::call(Group &group) {
  if (group.record)
    group.record->swapWithThread();
  group.call.run(group.info, group.memory);
  if (group.record)
    group.record->swapWithThread();
  return group.suspension.waits == 0;
}

// Each of the groups once.
void SuspendedGroups::goOn() {
  if (waiting.empty())
    return;
  bool moved = false, ended = false;
  for (std::unique_ptr<Group> &group : waiting) {
    if (!call(*group)) {
      moved |= group->suspension.moved != 0;
      continue;
    }
    moved = ended = true;
    bytes -= group->block.size();
    spare.push_back(std::move(group));
  }
  std::erase(waiting, nullptr);
  if (++rounds > kMostRounds)
    impatient = true;
  if (ended)
    noteBegunOrEnded();
  else if (moved)
    noteBusy();
  else
    noteIdle();
}

// The thread cannot leave its groups, but another one may run commands in its place.
void SuspendedGroups::makeWay() {
  const Absence for_a_while;
  sleepFor(kShortestSleep);
}

// Called after a work-group has begun or ended. Takes back a lent place: the thread has its own work to do.
void SuspendedGroups::noteBegunOrEnded() {
  absent.reset();
  busy_since = 0;
  endIdle();
}

// Called after a round in which work-groups made progress, but none began or ended. Lends the thread's place when such
// rounds have gone on for kLendAfter.
void SuspendedGroups::noteBusy() {
  endIdle();
  const uint64_t now = nanoseconds();
  if (busy_since == 0)
    busy_since = now;
  if (now - busy_since < kLendAfter)
    absent.reset();
  else if (!absent)
    absent.emplace();
}

void SuspendedGroups::endIdle() {
  if (idle_since != 0)
    watch.endIdle();
  idle_since = 0;
  idle_rounds = 0;
}

void SuspendedGroups::noteIdle() {
  if (alone)
    impatient = true;
  pauseProcessor();
  if (++idle_rounds % 16 != 0 && (!alone || !exhausted))
    return;
  const uint64_t now = nanoseconds();
  if (idle_since == 0) {
    idle_since = still_since = now;
    seen_moves = watch.moved();
    watch.beginIdle();
  }
  const uint64_t idle = now - idle_since;
  impatient |= idle > kPatience;
  if (idle > kPatience && !absent)
    absent.emplace();
  if (idle > kSleepAfter)
    sleepFor(std::clamp(idle / 100, kShortestSleep, kLongestSleep));
  else if (idle > kPatience)
    sched_yield();
  if (!watch.allIdle() || watch.moved() != seen_moves) {
    seen_moves = watch.moved();
    still_since = now;
  }
  if (const uint64_t limit = waits.report_after; limit != 0 && (now - still_since) / 1'000'000'000 >= limit)
    report(limit);
}

void SuspendedGroups::report(uint64_t seconds) {
  if (!watch.takeReport())
    return;
  const Group &group = *waiting.front();
  const Hang hang{.subject = group.launch->subject,
                  .group = {group.call.x, group.call.y, group.call.z},
                  .sub_group = group.suspension.sub_group,
                  .place = group.suspension.place != nullptr ? group.suspension.place : "",
                  .seconds = seconds,
                  .all_have_begun = exhausted};
  waits.report(hang);
}

} // namespace lanecl::scheduler
