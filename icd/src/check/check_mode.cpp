// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Starts the checks that LANECL_CHECK names, and turns what instrumented kernels report into findings with a message.
#include "check/check_mode.h"

#include "api/failure_watch.h"
#include "api/object_watch.h"
#include "api/shadow.h"
#include "check/findings/debugger_stop.h"
#include "check/findings/findings.h"
#include "check/host/api_checks.h"
#include "check/host/command_checks.h"
#include "check/host/host_reads.h"
#include "check/kernels/arithmetic.h"
#include "check/kernels/memory_bounds.h"
#include "check/kernels/races.h"
#include "check/kernels/report.h"
#include "check/kernels/work_group_arrivals.h"
#include "faults/hang_report.h"
#include "faults/launch_facts.h"
#include "faults/where_in_memory.h"
#include "icd/check_rules.h"
#include "icd/counted.h"
#include "icd/settings.h"
#include "scheduler/running_groups.h"
#include "settings/made_once.h"
#include "vectorizer/check.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>

namespace lanecl::icd {
namespace {

using abi::CheckRule;
using scheduler::RunningGroups;

std::atomic<Findings *> findings{nullptr}; // never destroyed: kernels may run while the process exits

const char *kindOf(abi::CheckMemory memory) {
  switch (memory) {
  case abi::CheckMemory::Unknown: break;
  case abi::CheckMemory::LocalVariable: return "the local variable";
  case abi::CheckMemory::LocalArgument: return "local memory";
  case abi::CheckMemory::PrivateVariable: return "the private variable";
  case abi::CheckMemory::Constant: return "the constant";
  case abi::CheckMemory::ProgramVariable: return "the program scope variable";
  }
  return "a variable";
}

// Describes an address of memory without a name. `find` is whereInMemory(), or whereOutsideMemory() for an address that
// is out of bounds.
std::string whereIs(const LaunchFacts &facts, const RunningGroups &groups, uint64_t address,
                    decltype(whereInMemory) *find) {
  if (facts.code->context &&
      (facts.code->context->svm().wasFreed(address) || facts.code->context->usm().wasFreed(address)))
    return "freed memory";
  FaultText text;
  find(facts, groups, address, Locks::Wait, text);
  return text.text().empty() ? "an address outside all known memory" : std::string(text.text());
}

// Describes an offset from the start of a variable or local argument, which `site` names.
std::string whereInNamed(const abi::CheckSite &site, const LaunchFacts &facts, int64_t offset) {
  uint64_t bytes = site.object_bytes;
  std::string number;
  if (site.memory == abi::CheckMemory::LocalArgument)
    for (const LocalArgument &argument : facts.localArguments())
      if ((*facts.code->arguments)[argument.number].name == site.object) {
        bytes = argument.bytes;
        number = ", argument " + std::to_string(argument.number);
      }
  const auto length = static_cast<int64_t>(bytes);
  const bool has_length = length != 0 || !number.empty();
  std::string text = offset < 0 ? counted(uint64_t(-offset), "byte") + " before the start of "
                     : offset < length || !has_length
                         ? counted(uint64_t(offset), "byte") + " into "
                         : counted(uint64_t(offset - length), "byte") + " past the end of ";
  const std::string name = *site.object ? " '" + std::string(site.object) + "'" : "";
  if (!has_length)
    return text + (name.empty() ? "a private variable" : kindOf(site.memory) + name);
  if (site.memory == abi::CheckMemory::LocalArgument)
    return text + "local memory (" + counted(bytes, "byte") + number + name + ")";
  return text + kindOf(site.memory) + name + " (" + counted(bytes, "byte") + ")";
}

// Describes a decision that depends on an uninitialized value. `place` is where the value was read: an offset if the
// memory has a name, otherwise an address, or 0 if the value was computed.
std::string describeUnwritten(const abi::CheckSite &site, const LaunchFacts &facts, const RunningGroups &groups,
                              uint64_t place) {
  const std::string use = site.function;
  std::string where;
  if (site.memory == abi::CheckMemory::PrivateVariable)
    where = *site.object ? ": the private variable '" + std::string(site.object) + "'" : "";
  else if (site.memory != abi::CheckMemory::Unknown)
    where = ": " + whereInNamed(site, facts, int64_t(place));
  else if (place != 0)
    where = ": " + whereIs(facts, groups, place);
  return (use == "address"  ? std::string("an address")
          : use == "branch" ? std::string("a condition")
                            : use) +
         " depends on an uninitialized value" + where;
}

// Describes the number that breaks a demand of the block functions on images and surfaces.
std::string describeBlock(uint64_t value, abi::BlockDemand demand) {
  using abi::BlockDemand;
  const std::string number = std::to_string(int32_t(value));
  FaultText address;
  address.hexadecimal(value);
  switch (demand) {
  case BlockDemand::ImageElement: return "the image's elements have " + counted(value, "byte");
  case BlockDemand::ImagePitch: return "the rows of the image's buffer are " + counted(value, "byte") + " apart";
  case BlockDemand::ImageBegin: return "the image's buffer begins at " + std::string(address.text());
  case BlockDemand::ImageColumn: return "the block begins at byte " + number + " of the row";
  case BlockDemand::SurfaceBegin: return "the surface begins at " + std::string(address.text());
  case BlockDemand::SurfaceWidth: return "the surface is " + number + " bytes wide";
  case BlockDemand::SurfaceHeight: return "the surface has " + number + " rows";
  case BlockDemand::SurfacePitch: return "the surface's rows are " + number + " bytes apart";
  case BlockDemand::SurfaceColumn: return "the block begins at element " + number + " of the row";
  }
  return number;
}

// Describes a coordinate outside an image. If it is a byte, a block begins there, which may end outside.
std::string describeCoordinate(char name, int32_t value, uint32_t extent, bool is_byte) {
  const std::string at = std::string(1, name) + " = " + std::to_string(value);
  const std::string image = std::string("the image, whose extent in ") + name + " is " + std::to_string(extent);
  return is_byte ? "the block at byte " + at + " is not inside " + image + " bytes"
                 : "coordinate " + at + " is outside " + image;
}

// Returns the message of a finding. The meaning of `value` and `other` depends on the rule; the passes in
// vectorizer/src/check/ define it.
std::string describe(const abi::CheckSite &site, const RunningGroups &groups, uint64_t value, uint64_t other) {
  const auto &facts = *static_cast<const LaunchFacts *>(groups.facts);
  const std::string function = site.function;
  switch (site.rule) {
  case CheckRule::ReadOutOfBounds:
  case CheckRule::WriteOutOfBounds:
    return (site.rule == CheckRule::ReadOutOfBounds ? "out-of-bounds read of " : "out-of-bounds write of ") +
           counted(other, "byte") + ": " +
           (site.memory == abi::CheckMemory::Unknown ? whereIs(facts, groups, value, whereOutsideMemory)
                                                     : whereInNamed(site, facts, int64_t(value)));
  case CheckRule::ReadOnlyMemory:
    return "write of " + counted(other, "byte") + " to CL_MEM_READ_ONLY memory: " + whereIs(facts, groups, value);
  case CheckRule::WriteOnlyMemory:
    return "read of " + counted(other, "byte") + " from CL_MEM_WRITE_ONLY memory: " + whereIs(facts, groups, value);
  case CheckRule::ImageRead:
  case CheckRule::ImageWrite: // other: the extent in the lower 32 bits, the number of the coordinate above
    return function + ": " +
           describeCoordinate("xyz"[other >> 32 & 3], int32_t(value), uint32_t(other),
                              (other & abi::kByteCoordinate) != 0);
  case CheckRule::Misaligned: {
    FaultText text;
    ((text << "misaligned " << (function == "write" ? "write" : "read") << " at ").hexadecimal(value)
     << ", which is not a multiple of " << other << ": ");
    return std::string(text.text()) + whereIs(facts, groups, value);
  }
  case CheckRule::WholeSubGroup:
  case CheckRule::WholeWorkGroup:
    return function + " is called only by lanes " + lanesText(value) + " of " + lanesText(other);
  case CheckRule::FullSubGroup:
    return function + " is called in a sub-group of " + counted(value, "work-item") + "; the sub-group size is " +
           std::to_string(other);
  case CheckRule::UniformArgument:
  case CheckRule::GroupArgument:
    return function + ": an argument is " + std::to_string(value) + " here, but " + std::to_string(other) +
           " in the first lane";
  case CheckRule::BlockAlignment: {
    FaultText text;
    ((text << function << ": the address ").hexadecimal(value) << " is not a multiple of " << other);
    return std::string(text.text());
  }
  case CheckRule::NoSuchDistance:
    return function + ": a distance of " + std::to_string(int32_t(value)) + " lanes in a sub-group of size " +
           std::to_string(other);
  case CheckRule::ClusterSize:
    return function + ": clusters of " + counted(value, "lane") +
           (other != 0 ? "" : ", which is not a compile-time constant");
  case CheckRule::ImageBlock:
  case CheckRule::BlockSurface: return function + ": " + describeBlock(value, abi::BlockDemand(other));
  case CheckRule::LaneOutOfRange:
    return function + ": lane " + std::to_string(value) + " does not exist in a sub-group of size " +
           std::to_string(other);
  case CheckRule::Race:
  case CheckRule::SameValueRace: break; // described where they are found
  case CheckRule::UninitializedRead: return describeUnwritten(site, facts, groups, value);
  case CheckRule::DivisionByZero:
  case CheckRule::DivisionOverflow:
  case CheckRule::ShiftBeyondWidth:
  case CheckRule::ConversionOutOfRange:
  case CheckRule::NanResult: return describeArithmetic(site, value, other);
  case CheckRule::LaneNotActive:
    return function + ": takes the value of lane " + std::to_string(value) + ", but only lanes " + lanesText(other) +
           " call it";
  }
  return function;
}

// Returns the global id of the lowest of the finding's lanes.
Ids3 globalId(const RunningGroups &groups, const Finding &finding) {
  const auto &facts = *static_cast<const LaunchFacts *>(groups.facts);
  const uint64_t *size = groups.local_size;
  const uint64_t item =
      uint64_t(finding.sub_group) * facts.code->full->width + uint64_t(std::countr_zero(finding.lanes));
  const Ids3 local{item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
  Ids3 id;
  for (size_t d = 0; d < 3; ++d)
    id[d] = groups.launch->global_offset[d] + finding.group[d] * groups.launch->enqueued_local_size[d] + local[d];
  return id;
}

// Renames an out-of-bounds access that is in fact one of the wrong kind. memory_bounds.cpp gives memory of the wrong
// access mode a length of 0, so that a write to CL_MEM_READ_ONLY memory arrives here as an out-of-bounds write.
CheckRule ruleOfAccess(const abi::CheckSite &site, const LaunchFacts &facts, uint64_t address, uint64_t bytes) {
  const bool writes = site.rule == CheckRule::WriteOutOfBounds;
  if ((!writes && site.rule != CheckRule::ReadOutOfBounds) || site.memory != abi::CheckMemory::Unknown)
    return site.rule;
  const cl_mem_flags forbids = writes ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
  for (const Ref<Memory> &memory : facts.memory) {
    const auto begin = reinterpret_cast<uintptr_t>(memory->data());
    if ((memory->flags() & forbids) != 0 && address >= begin && address + bytes <= begin + memory->size())
      return writes ? CheckRule::ReadOnlyMemory : CheckRule::WriteOnlyMemory;
  }
  return site.rule;
}

// Reports what CheckRuntime::found announces. Generated code calls that for each lane in turn, and the lowest lane
// speaks for all.
void foundAt(const CheckPlace &place, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
             uint64_t value, uint64_t other) {
  const RunningGroups *const groups = scheduler::runningGroups();
  if (!groups || !groups->facts || lanes == 0 || lane != uint32_t(std::countr_zero(lanes)))
    return;
  abi::CheckSite own = place.siteWithMemory();
  own.rule = ruleOfAccess(own, *static_cast<const LaunchFacts *>(groups->facts), value, other);
  report(
      own, *groups, {lanes, sub_group, group_x}, [&] { return describe(own, *groups, value, other); }, nullptr,
      place.call);
}

void found(const abi::CheckSite *site, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
           uint64_t value, uint64_t other) {
  foundAt({.site = *site}, lanes, lane, sub_group, group_x, value, other);
}

void foundInCall(const abi::CheckSite *site, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
                 uint64_t value, uint64_t other, const abi::CheckCall *call, const abi::CheckObject *object) {
  foundAt({.site = *site, .call = call, .object = object}, lanes, lane, sub_group, group_x, value, other);
}

void forgetLocalMemory() {
  if (const RunningGroups *const groups = scheduler::runningGroups())
    markLocalUnwritten(groups->memory->local, groups->memory->local_bytes);
}

void done(uint64_t) {
  workGroupDone();
  forgetGroupAccesses();
}

// All that the checks record of a work-group that can be suspended.
class CheckedGroup final : public scheduler::GroupRecord {
public:
  void swapWithThread() noexcept override {
    arrivals->swapWithThread();
    accesses->swapWithThread();
  }

private:
  const std::unique_ptr<scheduler::GroupRecord> arrivals = makeArrivals(), accesses = makeGroupAccesses();
};

// Returns the instrumentation that LANECL_CHECK asks for.
vectorizer::Instrumentation chosen(const std::string &checks) {
  const auto isChosen = [&](std::string_view group) { return isChosenGroup(checks, group); };
  vectorizer::Instrumentation how;
  how.runtime = {.begin = memoryBegin,
                 .read_end = readableEnd,
                 .write_end = writableEnd,
                 .found = found,
                 .found_in_call = foundInCall,
                 .reached = subGroupReached,
                 .done = done,
                 .begun = forgetLocalMemory,
                 .shadow = shadowBase,
                 .record_access = lanesAccess,
                 .record_access_in_call = lanesAccessInCall,
                 .record_barrier = subGroupAtBarrier,
                 .record_fence = groupSynchronizes};
  how.memory = isChosen("memory");
  how.sub_groups = isChosen("sub-groups");
  how.work_groups = isChosen("work-groups");
  how.initialization = shadowsAllMemory()  ? vectorizer::Reach::Everything
                       : shadowBase() != 0 ? vectorizer::Reach::OwnMemory
                                           : vectorizer::Reach::Nothing;
  how.arithmetic = isChosen("arithmetic");
  if (isChosen("races") && startRaceChecks())
    how.races = reachOf(checks, "races") == CheckReach::Everything ? vectorizer::Reach::Everything
                                                                   : vectorizer::Reach::OwnMemory;
  how.widths = isChosen("widths");
  return how;
}

} // namespace

std::string whereIs(const LaunchFacts &facts, const RunningGroups &groups, uint64_t address) {
  return whereIs(facts, groups, address, whereInMemory);
}

abi::CheckSite CheckPlace::siteWithMemory() const {
  abi::CheckSite own = site;
  if (object) {
    own.memory = object->memory;
    own.object = object->name;
    own.object_bytes = object->bytes;
  }
  return own;
}

// Returns the calls that led to the place: those that were inlined, then those that the running code has made.
static std::string allCalls(const abi::CheckSite &site, const abi::CheckCall *call) {
  std::string calls = site.calls;
  for (; call; call = call->caller)
    calls += call->calls;
  return calls;
}

void report(const abi::CheckSite &site, const RunningGroups &groups, const Broken &by,
            const std::function<std::string()> &what, const abi::CheckSite *other, const abi::CheckCall *call) {
  const auto &facts = *static_cast<const LaunchFacts *>(groups.facts);
  Finding finding;
  finding.rule = &ruleOf(site.rule);
  finding.kernel = facts.code->kernel;
  finding.function = site.function;
  finding.place = {.file = site.file, .line = site.line, .column = site.column};
  finding.group = {by.group_x, groups.y, groups.z};
  finding.sub_group = by.sub_group;
  finding.lanes = by.lanes;
  const bool is_new = findings.load()->add(finding, facts.code->texts, [&](Finding &added) {
    added.global_id = globalId(groups, added);
    added.what = what();
    added.calls = readCalls(allCalls(site, call).c_str(), added.place);
    if (other)
      added.other = {.file = other->file, .line = other->line, .column = other->column};
  });
  if (is_new)
    laneclCheckStop(by.lanes);
}

// Whether LANECL_CHECK names only groups that check the host program's calls, so that kernels need no instrumentation.
static bool isOfHostOnly(const std::string &checks) {
  return std::ranges::none_of(kCheckRules, [&](const CheckRuleText &rule) {
    return rule.group != "api" && rule.group != "failures" && isChosenGroup(checks, rule.group);
  });
}

void startCheckMode() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (settings().check.empty())
      return;
    findings = new Findings({.folder = settings().check_report,
                             .sources = settings().check_sources,
                             .suppressions = settings().check_suppressions,
                             .severities = {.errors = settings().check_error,
                                            .warnings = settings().check_warning,
                                            .ignored = settings().check_ignore},
                             .limit = settings().check_limit,
                             .end_at_error = settings().check_stop == "exit"});
    const std::string &checks = settings().check;
    if (isChosenGroup(checks, "api"))
      startApiChecks(*findings);
    if (isChosenGroup(checks, "commands"))
      startCommandChecks(*findings);
    if (shadowsAllMemory())
      startHostReadChecks(*findings);
    // Instrumenting also keeps freed memory allocated and forbids free work-group sizes, so it is left out when only
    // host calls are checked.
    if (!isOfHostOnly(checks)) {
      vectorizer::instrument(chosen(checks));
      keepOfSuspendedGroups(
          []() -> std::unique_ptr<scheduler::GroupRecord> { return std::make_unique<CheckedGroup>(); });
    }
    std::atexit([] { findings.load()->write(); });
  });
}

// Reports a failed call. It starts check mode by itself, because a call may fail before the program has a context.
static void noticeFailure(const FailedCall &call) noexcept {
  if (!isChosenGroup(settings().check, "failures"))
    return;
  startCheckMode();
  try {
    reportFailure(call, *findings.load());
  } catch (...) { // no memory for a report
  }
}

// Arranges when the library is loaded that check mode starts with the first context or the first failed call.
static __attribute__((constructor)) void install() {
  onContext(startCheckMode);
  onFailure(noticeFailure);
}

bool isCheckMode() {
  return findings.load(std::memory_order_relaxed) != nullptr;
}

std::vector<Finding> takeFindings() {
  return isCheckMode() ? findings.load()->take() : std::vector<Finding>();
}

bool areWidthsCompared() {
  static constinit MadeOnce<bool> are_compared;
  return are_compared.get([] { return isChosenGroup(settings().check, "widths"); }) && isCheckMode();
}

void reportWidth(const std::string &kernel, const std::string &what) {
  Finding finding;
  finding.rule = findCheckRule("width-dependent");
  finding.kernel = kernel;
  findings.load()->add(finding, nullptr, [&](Finding &added) { added.what = what; });
}

void countUnchecked(Unchecked why) {
  findings.load()->countUnchecked(size_t(why));
}

std::unique_ptr<CheckedLaunch> makeCheckedLaunch(bool runs_once) {
  if (!isCheckMode())
    return nullptr;
  auto checked = std::make_unique<CheckedLaunch>();
  if (runs_once)
    giveNumber(*checked);
  return checked;
}

void giveNumber(CheckedLaunch &launch) {
  static std::atomic<uint64_t> launches{0};
  launch.number = ++launches;
  launch.first_time = 0;
}

void countCheckedLaunch() {
  Findings *const all = findings.load(std::memory_order_relaxed);
  if (!all)
    return;
  forgetMemoryBounds();
  all->countLaunch();
}

} // namespace lanecl::icd
