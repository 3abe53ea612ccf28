// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each four bytes of memory (a word) have a cell, which records who has written them last, who has read them, and when.
// An access is compared with the cell and then recorded in it.
//
// Within a work-group, time is counted in barriers. Two accesses of different work-items are ordered if their times
// differ, or if both work-items are in one sub-group that has passed a barrier of its own in between. Example:
//
//   tile[l] = in[i];                  // time 0, word l is written by work-item l
//   out[i] = tile[63 - l];            // time 0, too: a race with work-item 63 - l
//   barrier(CLK_LOCAL_MEM_FENCE);     // from here on the time is 1
//   out[i] += tile[63 - l];           // time 1: ordered after the write
//
// A thread runs the sub-groups of a work-group in turn, each up to a barrier, so the order in which accesses arrive
// here says nothing. Work-groups and threads take disjoint ranges of times, so the cells need not be cleared between
// them.
//
// Nothing orders the accesses of two work-groups of a launch, unless the later one has executed a fence or an atomic
// operation that orders memory: only then can it know what the other one has done. From there on, races of that
// work-group are no longer reported.
#include "check/kernels/races.h"

#include "api/memory_watch.h"
#include "check/kernels/race_records.h"
#include "check/kernels/report.h"
#include "icd/counted.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace lanecl::icd {
namespace {

using abi::CheckRule;
using abi::CheckSite;
using abi::LaneAccesses;

bool isPlainRead(const LaneAccesses &accesses) {
  return (accesses.kind & (abi::kWriteAccess | abi::kAtomicAccess | abi::kVolatileAccess)) == 0;
}

// The barriers that a sub-group has passed, for one kind of memory: local or global.
struct Clock {
  uint64_t time = 0;            // barriers of the work-group
  uint64_t barriers = 0;        // the sub-group's own barriers since the last one of the work-group
  bool is_behind_other = false; // since then, a barrier of the work-group named only the other kind
};

// The records of the work-group that a thread runs. The cells are shared by all threads.
class Group {
public:
  void access(const CheckPlace &place, const LaneAccesses &accesses);
  void passBarrier(uint32_t sub_group, bool of_work_group, uint32_t flags);
  void end();
  bool synchronized = false; // by a fence or an atomic operation; no races are reported any more

private:
  // A thread takes this many times at once, which serve several work-groups. It takes kMoreTimes times as many after a
  // work-group with more barriers than were left.
  static constexpr uint64_t kTimesAtOnce = 1 << 10, kMoreTimes = 8, kMostTimesAtOnce = 1 << 19;

  // The accesses that the lanes of a sub-group make together, and the races that were found for them.
  struct Together {
    const CheckPlace &place;
    const LaneAccesses &accesses;
    Clock clock;
    uint64_t first_item, width;   // the work-item in lane 0, and the number of lanes
    uint64_t now, earliest;       // the time of these accesses; accesses before `earliest` cannot race with them
    uint64_t races = 0, same = 0; // masks of the lanes that race; same: both accesses write the same value
    uint64_t address = 0;         // where the first race is; the members below describe the other access of that race
    Mark other;
    const CheckSite *other_site = nullptr;
    bool other_writes = false, is_of_other_group = false;
  };

  Clock &clockOf(uint32_t sub_group, bool is_local);
  template <bool kWrites> void accessWholeWords(Together &together, uint64_t lanes);
  void accessLane(Together &together, unsigned lane);
  void lookCloser(Together &together, unsigned lane, uint64_t address, uint64_t word, Mark mine);
  Mark marksOfWrites(const Together &together, Mark written, Mark mine) const;
  Mark marksOfReads(const Together &together, Mark read, Mark mine) const;
  bool isConcurrent(const Together &together, Mark mine, Mark other) const;
  bool isOfOtherGroup(const Together &together, Mark mine, Mark other) const;
  bool writesSame(const Together &together, unsigned lane, uint64_t address, Mark other) const;
  void compare(Together &together, unsigned lane, uint64_t address, Mark mine, Mark other, const CheckSite *other_site,
               bool other_writes) const;
  void describe(const Together &together, uint64_t lanes, CheckRule rule) const;
  void accessAs(const CheckPlace &place, const LaneAccesses &accesses);
  bool begin(CheckedLaunch &launch);

  uint64_t launch = 0;       // the number of the launch that the work-group belongs to
  uint64_t launch_start = 0; // the first time of that launch; 0: not known
  // The work-group's times start at `start`; the thread has taken all times below `limit`.
  uint64_t start = 0, limit = 0;
  uint64_t times_at_once = kTimesAtOnce;
  uint64_t most = 0;                // the latest time that a sub-group has reached, relative to `start`
  std::vector<Clock> local, global; // by sub-group
};

thread_local Group group;

uint64_t addressOf(const LaneAccesses &accesses, unsigned lane) {
  return accesses.addresses ? accesses.addresses[lane] : accesses.begin + uint64_t(accesses.stride * int64_t(lane));
}

bool isLocal(const LaneAccesses &accesses) {
  return (accesses.kind & abi::kLocalAccess) != 0;
}

// Takes times for the work-group if it has none. All times of a launch are later than those that any thread has taken
// before the launch began, so that accesses of earlier launches are recognized. Returns false if no times are left.
bool Group::begin(CheckedLaunch &running) {
  static std::atomic<uint64_t> next{1};
  if (running.number != launch || running.number == 0) {
    uint64_t first = 0;
    if (running.number != 0 && running.first_time.compare_exchange_strong(first, next.load()))
      first = running.first_time;
    launch = running.number;
    launch_start = first;
    limit = start; // those times are too early
  }
  if (start >= limit) {
    start = next.fetch_add(times_at_once);
    limit = start + times_at_once;
  }
  return limit < Mark::kTimes;
}

Clock &Group::clockOf(uint32_t sub_group, bool is_local) {
  std::vector<Clock> &clocks = is_local ? local : global;
  if (sub_group >= clocks.size())
    clocks.resize(sub_group + 1);
  return clocks[sub_group];
}

void Group::passBarrier(uint32_t sub_group, bool of_work_group, uint32_t flags) {
  constexpr uint32_t kLocal = 1, kGlobal = 2 | 4; // CLK_LOCAL_, CLK_GLOBAL_, CLK_IMAGE_MEM_FENCE
  for (const bool is_local : {true, false}) {
    Clock &clock = clockOf(sub_group, is_local);
    if ((flags & (is_local ? kLocal : kGlobal)) == 0) {
      clock.is_behind_other |= of_work_group && flags != 0;
      continue;
    }
    if (of_work_group)
      clock = {.time = clock.time + 1};
    else if (clock.barriers < Mark::kMostBarriers)
      ++clock.barriers;
    most = std::max(most, clock.time);
  }
}

void Group::end() {
  if (most != 0 && start + most >= limit)
    times_at_once = std::min(times_at_once * kMoreTimes, kMostTimesAtOnce);
  start += most + 1;
  most = 0;
  local.clear();
  global.clear();
  synchronized = false;
}

// Whether the accesses race with each other within the work-group.
bool Group::isConcurrent(const Together &together, Mark mine, Mark other) const {
  if (other.time() != mine.time() || (other.bytes() & mine.bytes()) == 0 || mine.isAtomicBeside(other))
    return false;
  if (other.isOfSubGroups())
    return true;
  if (other.item() / together.width != mine.item() / together.width)
    return true;
  const bool is_ordered = other.barriers() != mine.barriers() || mine.barriers() == Mark::kMostBarriers;
  return !is_ordered && (other.item() != mine.item() || other.isOfLanes());
}

// Whether the access races with one of another work-group of the launch. Two volatile accesses of different work-groups
// do not race, either: they are how an OpenCL 1.2 program sets and polls a flag.
bool Group::isOfOtherGroup(const Together &together, Mark mine, Mark other) const {
  return launch_start != 0 && other.time() >= launch_start && (other.time() < start || other.time() >= limit) &&
         (other.bytes() & mine.bytes()) != 0 && (other.atomicity() == 0 || mine.atomicity() == 0) &&
         !isLocal(together.accesses);
}

// Whether the lane writes the value that the other access has written; true if the values are not known. The other
// value is in memory, unless a lower lane of this very access is the other one: its write has not happened yet.
bool Group::writesSame(const Together &together, unsigned lane, uint64_t address, Mark other) const {
  const LaneAccesses &accesses = together.accesses;
  if (((accesses.kind & abi::kAtomicAccess) != 0) || other.isAtomic())
    return false;
  if (!accesses.values)
    return true;
  const uint64_t before = other.item() - together.first_item;
  if (!together.is_of_other_group && before < lane && (accesses.lanes >> before & 1) != 0 &&
      addressOf(accesses, unsigned(before)) == address)
    return accesses.values[before] == accesses.values[lane];
  return std::memcmp(reinterpret_cast<const void *>(address), &accesses.values[lane], accesses.bytes) == 0;
}

// Adds a race to `together` if the access of this lane races with `other`.
void Group::compare(Together &together, unsigned lane, uint64_t address, Mark mine, Mark other,
                    const CheckSite *other_site, bool other_writes) const {
  const bool is_of_other_group = isOfOtherGroup(together, mine, other);
  if (synchronized || (!is_of_other_group && !isConcurrent(together, mine, other)))
    return;
  if ((together.races | together.same) == 0) {
    together.address = address;
    together.other = other;
    together.other_site = other_site;
    together.other_writes = other_writes;
    together.is_of_other_group = is_of_other_group;
  }
  const bool both_write = other_writes && (together.accesses.kind & abi::kWriteAccess) != 0;
  if (both_write && writesSame(together, lane, address, other))
    together.same |= uint64_t(1) << lane;
  else
    together.races |= uint64_t(1) << lane;
}

// The fast path, for accesses of whole words. Most marks that it meets are of an earlier launch, or of another time of
// this work-group, and cannot race: those are replaced right here, and all others are left to lookCloser(). What the
// loop needs is copied to local variables, so that it stays in registers.
template <bool kWrites> void Group::accessWholeWords(Together &together, uint64_t lanes) {
  const uint64_t now = together.now, earliest = together.earliest, own = start, own_count = limit - start;
  const Mark first = Mark(now, together.first_item, together.clock.barriers, together.accesses.kind).with(15);
  const bool is_plain = isPlainRead(together.accesses);
  const auto cannotRace = [=](Mark other) {
    return other.time() < earliest || (other.time() - own < own_count && other.time() != now);
  };
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = unsigned(std::countr_zero(lanes));
    const Mark mine = first.ofLane(lane);
    const uint64_t address = addressOf(together.accesses, lane), end = address + together.accesses.bytes;
    for (uint64_t word = address / 4; word < end / 4; ++word) {
      Cell &cell = cellOf(word);
      const Mark written(cell.written.load(std::memory_order_acquire)), read(cell.read.load(std::memory_order_acquire));
      const bool is_new = kWrites ? cannotRace(read) : read.time() != now;
      if (kWrites)
        setWritten(word, now);
      if (cannotRace(written) && is_new) {
        (kWrites ? sitesOf(word).written : sitesOf(word).read).store(&together.place.site, std::memory_order_relaxed);
        (kWrites ? cell.written : cell.read).store(mine.bits, std::memory_order_release);
      } else if (kWrites || !cannotRace(written) || !read.covers(mine))
        lookCloser(together, lane, address, word, mine);
      else if (is_plain)
        setRead(word, now);
    }
  }
}

// Returns the mark of a cell after another read, or after another atomic write. A mark names one work-item only; if
// there were others at the same time, its flags say whether they are in the same sub-group or in other ones.
Mark Group::marksOfReads(const Together &together, Mark read, Mark mine) const {
  if (read.time() != mine.time() || read.bytes() != mine.bytes() || read.atomicity() != mine.atomicity())
    return mine;
  if (read.item() / together.width != mine.item() / together.width)
    return read.with(Mark::kOfSubGroups);
  const bool of_lanes = read.barriers() == mine.barriers() && (read.isOfLanes() || read.item() != mine.item());
  return mine.with((read.isOfSubGroups() ? Mark::kOfSubGroups : 0) | (of_lanes ? Mark::kOfLanes : 0));
}

// Returns the mark of a cell after another write. If a work-item writes plainly and then atomically, the mark of the
// plain write stays, because atomic accesses of other work-items race with the plain write.
Mark Group::marksOfWrites(const Together &together, Mark written, Mark mine) const {
  if ((written.bits & ~uint64_t(15)) == (mine.bits & ~uint64_t(15)))
    return written.with(mine.bytes());
  const bool is_own = written.time() == mine.time() && written.item() == mine.item() &&
                      written.barriers() == mine.barriers() && (mine.bytes() & ~written.bytes()) == 0;
  if (is_own && mine.isAtomic() && written.atomicity() == 0)
    return written;
  return mine.isAtomic() ? marksOfReads(together, written, mine) : mine;
}

// Compares one lane's access of one word with both marks of the cell, and records the access.
[[gnu::noinline]] void Group::lookCloser(Together &together, unsigned lane, uint64_t address, uint64_t word,
                                         Mark mine) {
  Cell &cell = cellOf(word);
  CellSites &places = sitesOf(word);
  const bool writes = (together.accesses.kind & abi::kWriteAccess) != 0;
  const Mark written(cell.written.load(std::memory_order_acquire)), read(cell.read.load(std::memory_order_acquire));
  compare(together, lane, address, mine, written, places.written.load(std::memory_order_relaxed), true);
  if (writes)
    compare(together, lane, address, mine, read, places.read.load(std::memory_order_relaxed), false);
  const Mark before = writes ? written : read;
  const Mark now = writes ? marksOfWrites(together, written, mine) : marksOfReads(together, read, mine);
  if (now.bits == before.bits)
    return;
  (writes ? places.written : places.read).store(&together.place.site, std::memory_order_relaxed);
  (writes ? cell.written : cell.read).store(now.bits, std::memory_order_release);
}

// The slow path: the access of one lane, which may start or end inside a word.
void Group::accessLane(Together &together, unsigned lane) {
  const uint64_t address = addressOf(together.accesses, lane), end = address + together.accesses.bytes;
  const Mark mine(together.now, together.first_item + lane, together.clock.barriers, together.accesses.kind);
  for (uint64_t word = address / 4; word * 4 < end; ++word) {
    const uint64_t first = std::max(address, word * 4) - word * 4, last = std::min(end, word * 4 + 4) - word * 4;
    if ((together.accesses.kind & abi::kWriteAccess) != 0)
      setWritten(word, together.now);
    lookCloser(together, lane, address, word, mine.with(((1U << last) - 1) & ~((1U << first) - 1)));
  }
}

// Whether there are records for all that the lanes access. Of addresses with a stride, all are in one region if the
// first and the last one are.
bool haveRecordsForAll(const LaneAccesses &accesses) {
  const auto haveRecordsOf = [&](unsigned lane) {
    const uint64_t address = addressOf(accesses, lane);
    return haveRecords(address, address + accesses.bytes);
  };
  const auto first = unsigned(std::countr_zero(accesses.lanes)), last = 63 - unsigned(std::countl_zero(accesses.lanes));
  if (!accesses.addresses && regionOf(addressOf(accesses, first)) == regionOf(addressOf(accesses, last)))
    return haveRecordsOf(first) && haveRecordsOf(last);
  for (uint64_t left = accesses.lanes; left != 0; left &= left - 1)
    if (!haveRecordsOf(unsigned(std::countr_zero(left))))
      return false;
  return true;
}

// Whether all lanes access whole words.
bool areWords(const LaneAccesses &accesses) {
  uint64_t all = accesses.bytes | accesses.begin | uint64_t(accesses.stride);
  for (uint64_t left = accesses.addresses ? accesses.lanes : 0; left != 0; left &= left - 1)
    all |= accesses.addresses[std::countr_zero(left)];
  return all % 4 == 0;
}

// Returns the end of the message "… has read": which order is missing between the two accesses.
std::string describeNoOrder(const Clock &clock, bool is_of_other_group, bool is_local) {
  if (is_of_other_group)
    return ", and nothing orders the work-groups";
  const char *const memory = is_local ? "local" : "global", *const other = is_local ? "global" : "local";
  return std::string(", with no barrier for ") + memory + " memory in between" +
         (clock.is_behind_other ? std::string(" (the last one is for ") + other + " memory only)" : "");
}

// Returns "'tile', ", or "" if the program has no name for the memory.
std::string nameOf(const CheckSite &site) {
  return *site.object ? "'" + std::string(site.object) + "', " : "";
}

void Group::describe(const Together &together, uint64_t lanes, CheckRule rule) const {
  if (lanes == 0)
    return;
  const scheduler::RunningGroups &groups = *scheduler::runningGroups();
  const LaneAccesses &accesses = together.accesses;
  CheckSite own = together.place.siteWithMemory();
  own.rule = rule;
  const auto describe = [&] {
    const auto &facts = *static_cast<const LaunchFacts *>(groups.facts);
    const bool writes = (accesses.kind & abi::kWriteAccess) != 0;
    const char *const same = accesses.values ? " (both write the same value)" : " (perhaps both write the same value)";
    const bool of_several = together.other.isOfLanes() || together.other.isOfSubGroups();
    const std::string by = (of_several ? "several work-items" : "work-item " + std::to_string(together.other.item())) +
                           " of " + (together.is_of_other_group ? "another" : "the same") + " work-group " +
                           (of_several ? "have " : "has ");
    const std::string unordered = describeNoOrder(together.clock, together.is_of_other_group, isLocal(accesses));
    return std::string(writes ? "write" : "read") + " of " + counted(accesses.bytes, "byte") + " that " + by +
           (together.other_writes ? "written" : "read") + unordered + (rule == CheckRule::SameValueRace ? same : "") +
           ": " + nameOf(own) + whereIs(facts, groups, together.address);
  };
  report(own, groups, {lanes, accesses.sub_group, accesses.group_x}, describe, together.other_site,
         together.place.call);
}

// Returns the lanes that have to be recorded. If all lanes read one address that was not written at this time, two
// lanes are enough to find any later race; all others are left out.
uint64_t lanesToLookAt(const LaneAccesses &accesses, uint64_t time) {
  const bool is_uniform_read = !accesses.addresses && accesses.stride == 0 && (accesses.kind & abi::kWriteAccess) == 0;
  const uint64_t without_first = accesses.lanes & (accesses.lanes - 1);
  const uint64_t all_but_two = without_first & (without_first - 1);
  if (!is_uniform_read || all_but_two == 0)
    return accesses.lanes;
  for (uint64_t word = accesses.begin / 4; word * 4 < accesses.begin + accesses.bytes; ++word)
    if (Mark(cellOf(word).written.load(std::memory_order_relaxed)).time() == time)
      return accesses.lanes;
  return accesses.lanes ^ all_but_two;
}

// Whether the accesses need no record: they read one word or consecutive ones, and setRead() has recorded all of them.
bool tellsNothing(const LaneAccesses &accesses, uint64_t time) {
  if (!isPlainRead(accesses) || accesses.addresses ||
      (accesses.stride != 0 && accesses.stride != int64_t(accesses.bytes)))
    return false;
  const auto first = unsigned(std::countr_zero(accesses.lanes)), last = 63 - unsigned(std::countl_zero(accesses.lanes));
  return areKnownRead(addressOf(accesses, first) / 4, (addressOf(accesses, last) + accesses.bytes) / 4, time);
}

// Whether the lanes read one of the buffers that no argument allows the launch to write.
bool isOnlyRead(const CheckedLaunch &launch, const LaneAccesses &accesses) {
  if (launch.only_read.empty() || (accesses.kind & (abi::kWriteAccess | abi::kLocalAccess)) != 0)
    return false;
  const auto lane = unsigned(std::countr_zero(accesses.lanes));
  const uint64_t address = addressOf(accesses, lane);
  const auto range = std::ranges::find_if(
      launch.only_read, [=](const auto &one) { return address >= one.first && address < one.second; });
  if (range == launch.only_read.end())
    return false;
  for (uint64_t left = accesses.lanes; left != 0; left &= left - 1) {
    const uint64_t other = addressOf(accesses, unsigned(std::countr_zero(left)));
    if (other < range->first || other + accesses.bytes > range->second)
      return false;
  }
  return true;
}

// Splits a compare-exchange into lanes that succeed, which write, and lanes that fail, which only read.
void Group::access(const CheckPlace &place, const LaneAccesses &accesses) {
  if ((accesses.kind & abi::kConditionalWrite) == 0)
    return accessAs(place, accesses);
  LaneAccesses some = accesses;
  some.values = nullptr;
  some.lanes = 0;
  for (uint64_t left = accesses.lanes; left != 0; left &= left - 1)
    some.lanes |= accesses.values[std::countr_zero(left)] != 0 ? left & -left : 0;
  some.kind &= ~(abi::kConditionalWrite | abi::kKnownValue);
  accessAs(place, some);
  some.lanes ^= accesses.lanes;
  some.kind &= ~abi::kWriteAccess;
  accessAs(place, some);
}

void Group::accessAs(const CheckPlace &place, const LaneAccesses &accesses) {
  const scheduler::RunningGroups *const groups = scheduler::runningGroups();
  const auto *const facts = groups ? static_cast<const LaunchFacts *>(groups->facts) : nullptr;
  if (accesses.lanes == 0 || !facts || !facts->checked || isOnlyRead(*facts->checked, accesses) ||
      !begin(*facts->checked) || start + most >= limit || !haveRecordsForAll(accesses))
    return;
  const uint64_t width = facts->code->full->width;
  const uint64_t first_item = accesses.sub_group * width;
  if (first_item + width > Mark::kItems)
    return;
  const Clock clock = clockOf(accesses.sub_group, isLocal(accesses));
  const bool are_words = areWords(accesses);
  if (are_words && tellsNothing(accesses, start + clock.time))
    return;
  Together together{.place = place,
                    .accesses = accesses,
                    .clock = clock,
                    .first_item = first_item,
                    .width = width,
                    .now = start + clock.time,
                    .earliest = isLocal(accesses) || launch_start == 0 ? start : launch_start,
                    .other = {}};
  const uint64_t lanes = lanesToLookAt(accesses, together.now);
  if (are_words)
    (accesses.kind & abi::kWriteAccess) != 0 ? accessWholeWords<true>(together, lanes)
                                             : accessWholeWords<false>(together, lanes);
  else
    for (uint64_t left = lanes; left != 0; left &= left - 1)
      accessLane(together, unsigned(std::countr_zero(left)));
  describe(together, together.races, CheckRule::Race);
  describe(together, together.same & ~together.races, CheckRule::SameValueRace);
}

// The records of a suspended work-group, which are swapped in when the thread resumes it: its times and barrier counts
// differ from those of the work-groups that the thread runs meanwhile.
class SuspendedAccesses final : public scheduler::GroupRecord {
public:
  void swapWithThread() noexcept override { std::swap(group, own); }

private:
  Group own;
};

} // namespace

void lanesAccess(const CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride, const uint64_t *addresses,
                 const uint64_t *values, uint64_t bytes, uint32_t kind, uint32_t sub_group, uint64_t group_x) {
  group.access({.site = *site}, {lanes, begin, stride, addresses, values, bytes, kind, sub_group, group_x});
}

void lanesAccessInCall(const CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride, const uint64_t *addresses,
                       const uint64_t *values, uint64_t bytes, uint32_t kind, uint32_t sub_group, uint64_t group_x,
                       const abi::CheckCall *call, const abi::CheckObject *object) {
  group.access({.site = *site, .call = call, .object = object},
               {lanes, begin, stride, addresses, values, bytes, kind, sub_group, group_x});
}

void subGroupAtBarrier(uint64_t lanes, uint32_t sub_group, uint32_t of_work_group, uint32_t flags) {
  if (lanes != 0)
    group.passBarrier(sub_group, of_work_group != 0, flags);
}

void groupSynchronizes() {
  group.synchronized = true;
}

void forgetGroupAccesses() {
  group.end();
}

std::unique_ptr<scheduler::GroupRecord> makeGroupAccesses() {
  return std::make_unique<SuspendedAccesses>();
}

static constexpr MemoryWatch kWatch{.made = [](const void *, size_t, const char *) {},
                                    .gone = forgetRaceRecords,
                                    .freed = [](const char *, const void *, size_t) {}};

bool startRaceChecks() {
  if (!reserveFirstRaceRecords()) {
    std::fprintf(
        stderr,
        "LaneCL check: data races are not checked, because there is no address space for their records; raise the "
        "limit on virtual memory (ulimit -v)\n");
    return false;
  }
  watchMemory(kWatch);
  return true;
}

} // namespace lanecl::icd
