// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ndrange/suspended_groups.h"

#include "threads/spin.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <ctime>
#include <new>

namespace lanecl::scheduler {
namespace {

// Limits of what one thread has suspended.
constexpr size_t kMostGroups = 4096;
constexpr uint64_t kMostBytes = uint64_t{1} << 30;
// Nanoseconds for which a thread waits for other threads before it starts another work-group. What its work-groups wait
// for is likely to come soon, and further work-groups are likely to wait, too.
constexpr uint64_t kPatience = 20'000;
// Rounds in which the groups make progress but none ends, after which further groups are started, too.
constexpr uint64_t kMostRounds = 64;
constexpr uint64_t kSleepAfter = 10'000'000; // nanoseconds of idling
// Nanoseconds of one sleep: a hundredth of the time for which the thread has been idle, but no longer than
// kLongestSleep. Otherwise hundreds of waiting threads would keep the processors busy with waking up.
constexpr uint64_t kShortestSleep = 100'000, kLongestSleep = 10'000'000;
// Nanoseconds in which work-groups make progress but none starts or ends, after which a thread lends its place. Each
// turn of `do { x = *flag; barrier(…); } while (!x)` reaches a barrier, which counts as progress, although the loop may
// wait for a command of another queue.
constexpr uint64_t kLendAfter = 1'000'000;
constexpr uint64_t kFarBelow = uint64_t{1} << 40; // keeps sums from overflowing
constexpr size_t kTail = 256;                     // after each part, see worker_memory.cpp

constexpr size_t padded(size_t bytes) {
  return abi::align_up(bytes + kTail, abi::kMemoryAlignment);
}

void sleepFor(uint64_t nanoseconds) {
  const timespec time{0, static_cast<long>(nanoseconds)};
  nanosleep(&time, nullptr);
}

} // namespace

SuspendedGroups::~SuspendedGroups() {
  assert(waiting.empty() && "the thread forgets work-groups that it has started");
  if (idle_since != 0)
    watch.endIdle();
  watch.leave();
}

// Whether to start another group: if none is waiting, or if the thread has waited long enough and the limits allow it.
bool SuspendedGroups::wantsMore() const {
  return !exhausted && (waiting.empty() || (impatient && waiting.size() < kMostGroups && bytes < kMostBytes));
}

// Makes sure that a spare Group with memory exists and that the lists have room. It is called before a group is taken,
// because a group that is taken cannot be given back; nothing after that needs memory.
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

// Adds a Group with memory for the largest work-group.
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

// Starts a work-group. It ends up among the waiting ones unless it completes at once.
void SuspendedGroups::begin(const GroupToRun &what) {
  assert(!spare.empty() && waiting.size() < waiting.capacity() && "reserve() has not made room for the work-group");
  std::unique_ptr<Group> group = std::move(spare.back());
  spare.pop_back();
  assert(what.launch->local_bytes <= group->memory.local_bytes &&
         what.launch->scratch_bytes <= group->memory.scratch_bytes && "the memory is for smaller work-groups");
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

// Runs the group until it is done or is suspended again. Returns true if it is done.
bool SuspendedGroups::call(Group &group) {
  if (group.record)
    group.record->swapWithThread();
  group.call.run(group.info, group.memory);
  if (group.record)
    group.record->swapWithThread();
  return group.suspension.waits == 0;
}

// Resumes each of the waiting groups once.
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
    assert(bytes >= group->block.size() && "the memory of a work-group that waits was not counted");
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

// Called when a more urgent command is ready. The thread cannot leave its groups, but another thread may run the
// command in its place.
void SuspendedGroups::makeWay() {
  const Absence for_a_while;
  sleepFor(kShortestSleep);
}

// Called after a work-group has started or ended. Takes back a lent place, because the thread has its own work to do.
void SuspendedGroups::noteBegunOrEnded() {
  absent.reset();
  busy_since = 0;
  endIdle();
}

// Called after a round in which work-groups made progress but none started or ended. Lends the thread's place when such
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

// Called after a round in which no work-group made progress. The longer that lasts, the more the thread gives up: first
// it starts other groups and lends its place, then it yields its processor, then it sleeps. When no thread has made
// progress for Suspension::report_after seconds, it reports a hang.
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
  assert(!waiting.empty() && "a thread without work-groups that wait does not hang");
  const Group &group = *waiting.front();
  const Hang hang{.facts = group.launch->facts,
                  .group = {group.call.x, group.call.y, group.call.z},
                  .sub_group = group.suspension.sub_group,
                  .place = group.suspension.place != nullptr ? group.suspension.place : "",
                  .seconds = seconds,
                  .all_have_begun = exhausted};
  waits.report(hang);
}

} // namespace lanecl::scheduler
