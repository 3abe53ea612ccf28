// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matches the calls of barriers and work-group functions between the sub-groups of a work-group: the n-th call of each
// must be the same one.
#include "check/kernels/work_group_arrivals.h"

#include "check/kernels/report.h"
#include "icd/counted.h"

#include <cassert>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace lanecl::icd {
namespace {

using abi::CheckSite;

// Whether two sites are the same call of the program. Optimizations may have duplicated the call, so the sites are
// compared by line, column, function and callers.
bool isSamePlace(const CheckSite &one, const CheckSite &other) {
  return &one == &other || (one.line == other.line && one.column == other.column &&
                            std::strcmp(one.calls, other.calls) == 0 && std::strcmp(one.function, other.function) == 0);
}

// The calls that the sub-groups of a work-group have reached. The n-th call of each sub-group must be the same one; the
// n-th calls of all sub-groups together are a round.
class Arrivals {
public:
  void add(const CheckSite &site, const Broken &who, uint32_t sub_groups, uint64_t arguments);
  void end();
  void swap(Arrivals &other) noexcept;

private:
  struct Round {
    const CheckSite *site;
    Broken first;         // the sub-group that came first
    uint64_t arguments;   // its arguments, as one number
    uint32_t arrived;     // how many sub-groups have come
    std::vector<bool> by; // which of them
  };

  void differs(const Round &round, const CheckSite &site, const Broken &who);
  void isMissed(const Round &round);

  uint64_t completed = 0;        // rounds that all sub-groups have reached; they are dropped
  std::deque<Round> rounds;      // rounds that only some sub-groups have reached, the oldest first
  std::vector<uint64_t> reached; // by sub-group: the number of calls it has reached
  uint32_t sub_groups = 0;
  bool broken = false; // a rule was broken: later rounds do not match either, so nothing more is reported
};

thread_local Arrivals arrivals; // the records of the work-group that the thread runs

std::string lineText(const CheckSite &site) {
  return std::string(site.function) + (site.line == 0 ? "" : " on line " + std::to_string(site.line));
}

// Reports that a sub-group is at another call than the sub-group that came first.
void Arrivals::differs(const Round &round, const CheckSite &site, const Broken &who) {
  broken = true;
  report(site, *scheduler::runningGroups(), who, [&] {
    return std::string(site.function) + " is reached by sub-group " + std::to_string(who.sub_group) +
           " while sub-group " + std::to_string(round.first.sub_group) + " is at " + lineText(*round.site);
  });
}

void reportArguments(CheckSite site, const Broken &first, const Broken &who) {
  site.rule = abi::CheckRule::GroupArgument;
  report(site, *scheduler::runningGroups(), who, [&] {
    return std::string(site.function) + ": an argument differs from that of sub-group " +
           std::to_string(first.sub_group);
  });
}

// Reports that some sub-groups have never reached the call of a round.
void Arrivals::isMissed(const Round &round) {
  broken = true;
  report(*round.site, *scheduler::runningGroups(), round.first, [&] {
    std::string missing;
    uint32_t named = 0;
    for (uint32_t i = 0; i < sub_groups && named < 8; ++i)
      if (!round.by[i]) {
        missing += (named == 0 ? "" : ", ") + std::to_string(i);
        ++named;
      }
    if (sub_groups - round.arrived > named)
      missing += ", …";
    return std::string(round.site->function) + " is never reached by sub-group" +
           std::string(pluralEnding(sub_groups - round.arrived, "sub-group")) + " " + missing + " of " +
           std::to_string(sub_groups);
  });
}

void Arrivals::add(const CheckSite &site, const Broken &who, uint32_t count, uint64_t arguments) {
  if (broken)
    return;
  if (reached.empty()) {
    sub_groups = count;
    reached.assign(count, 0);
  }
  assert(count == sub_groups && who.sub_group < reached.size() && "the records are those of another work-group");
  const uint64_t own = reached[who.sub_group]++ - completed;
  assert(own <= rounds.size() && "a round was dropped that not all sub-groups have reached");
  if (own == rounds.size())
    rounds.push_back({&site, who, arguments, 0, std::vector<bool>(sub_groups)});
  Round &round = rounds[own];
  if (!isSamePlace(*round.site, site))
    return differs(round, site, who);
  if (round.arguments != arguments)
    reportArguments(site, round.first, who);
  round.by[who.sub_group] = true;
  ++round.arrived;
  while (!rounds.empty() && rounds.front().arrived == sub_groups) {
    rounds.pop_front();
    ++completed;
  }
}

void Arrivals::end() {
  if (!rounds.empty() && !broken)
    isMissed(rounds.front());
  completed = 0;
  rounds.clear();
  reached.clear();
  broken = false;
}

void Arrivals::swap(Arrivals &other) noexcept {
  std::swap(completed, other.completed);
  rounds.swap(other.rounds);
  reached.swap(other.reached);
  std::swap(sub_groups, other.sub_groups);
  std::swap(broken, other.broken);
}

class SuspendedArrivals final : public scheduler::GroupRecord {
public:
  void swapWithThread() noexcept override { arrivals.swap(own); }

private:
  Arrivals own;
};

bool isChecked() {
  const scheduler::RunningGroups *const groups = scheduler::runningGroups();
  return groups && groups->facts;
}

} // namespace

void subGroupReached(const CheckSite *site, uint64_t lanes, uint32_t sub_group, uint32_t sub_groups, uint64_t group_x,
                     uint64_t arguments) {
  if (sub_groups > 1 && sub_group < sub_groups && isChecked())
    arrivals.add(*site, {lanes, sub_group, group_x}, sub_groups, arguments);
}

void workGroupDone() {
  if (isChecked())
    arrivals.end();
}

std::unique_ptr<scheduler::GroupRecord> makeArrivals() {
  return std::make_unique<SuspendedArrivals>();
}

} // namespace lanecl::icd
