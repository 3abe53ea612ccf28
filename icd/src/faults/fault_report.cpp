// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text of the report about a fault. Each describe…() function appends one of its parts.
#include "faults/fault_report.h"

#include "faults/call_chain.h"
#include "faults/launch_facts.h"
#include "faults/running_sub_group.h"
#include "faults/where_in_memory.h"
#include "vectorizer/code_map.h"

#include <bit>
#include <csignal>

namespace lanecl::icd {
namespace {

using scheduler::RunningGroups;
using Ids = std::array<uint64_t, 3>;

constexpr uint64_t kRedZone = 128; // bytes below the stack pointer in which a function may keep values (x86-64 psABI)

// Returns the code map of the launch's code that contains the instruction, or null.
const vectorizer::CodeMap *mapOf(const LaunchFacts &facts, uintptr_t instruction) {
  for (const vectorizer::CompiledKernel *code : {facts.code->full, facts.code->edge})
    if (code && vectorizer::codeMapOf(*code).contains(instruction))
      return &vectorizer::codeMapOf(*code);
  return nullptr;
}

const char *nameOf(int signal) {
  switch (signal) {
  case SIGSEGV: return "SIGSEGV";
  case SIGBUS: return "SIGBUS";
  case SIGILL: return "SIGILL";
  default: return "SIGFPE";
  }
}

const char *accessTo(const Fault &fault) {
  if (fault.signal != SIGSEGV && fault.signal != SIGBUS)
    return "instruction at";
  switch (fault.access) {
  case Fault::Access::Read: return "reading";
  case Fault::Access::Write: return "writing to";
  default: return "access to";
  }
}

// Appends where the fault is: the function, if it was not inlined, the kernel and the line.
void describePlace(const LaunchFacts &facts, const vectorizer::CodeMap *map, const Fault &fault, const CallChain &calls,
                   FaultText &text) {
  const char *kernel = facts.code->kernel;
  const vectorizer::CodeLine *line = map ? map->lineAt(fault.instruction) : nullptr;
  text << " in ";
  if (calls.count != 0) {
    if (calls.places[0].function->name != kernel)
      text << "function '" << calls.places[0].function->name << "' of ";
    line = calls.places[0].line;
  }
  text << "kernel '" << kernel << "'";
  if (line)
    text << " at " << map->files[line->file] << ":" << line->line;
  if (!map || calls.is_in_library)
    text << ", in a function that it called";
}

// Appends the calls, in the form in which findings of check mode show them.
void describeCalls(const vectorizer::CodeMap &map, const CallChain &calls, FaultText &text) {
  for (size_t i = 1; i < calls.count; ++i) {
    const auto &[function, line] = calls.places[i];
    text << "  called from  " << function->name;
    if (line)
      text << " " << map.files[line->file] << ":" << line->line;
    text << "\n";
  }
}

void describeAddress(const LaunchFacts &facts, const RunningGroups &groups, uintptr_t address, FaultText &text) {
  FaultText where;
  whereInMemory(facts, groups, address, Locks::Try, where);
  if (!where.text().empty())
    text << "  address      " << where.text() << "\n";
}

Ids globalIds(const RunningGroups &groups, const Ids &group, const Ids &local) {
  Ids ids;
  for (size_t d = 0; d < 3; ++d)
    ids[d] = groups.launch->global_offset[d] + group[d] * groups.launch->enqueued_local_size[d] + local[d];
  return ids;
}

// Appends the lanes of the sub-group that has failed.
void describeSubGroup(const RunningGroups &groups, const abi::DebugFrame &frame, bool free_groups, FaultText &text) {
  const uint64_t *size = groups.local_size;
  const uint64_t first = frame.sub_group * uint64_t(frame.width) + uint64_t(std::countr_zero(frame.mask | 1ull << 63));
  const Ids local{first % size[0], first / size[0] % size[1], first / size[0] / size[1]};
  const Ids group{frame.group[0], frame.group[1], frame.group[2]};
  text << "  work-items   lanes ";
  text.lanes(frame.mask) << " of ";
  if (free_groups)
    text << frame.width;
  else
    (text << "sub-group " << frame.sub_group << " of work-group ").ids(group);
  (text << "; the first is global id ").ids(globalIds(groups, group, local)) << "\n";
}

// Appends the range of work-items that the thread was running, for code without debug information.
void describeRow(const LaunchFacts &facts, const RunningGroups &groups, FaultText &text) {
  const Ids first{groups.x_begin, groups.y, groups.z}, last{groups.x_end - 1, groups.y, groups.z};
  const uint64_t *size = groups.local_size;
  (text << "  work-items   one of those with global ids ").ids(globalIds(groups, first, {0, 0, 0})) << " to ";
  text.ids(globalIds(groups, last, {size[0] - 1, size[1] - 1, size[2] - 1}));
  if (!facts.code->free_groups) {
    (text << (groups.x_end - groups.x_begin == 1 ? ", in work-group " : ", in one of the work-groups ")).ids(first);
    if (groups.x_end - groups.x_begin > 1)
      (text << " to ").ids(last);
  }
  text << "\n";
}

void describeHint(const LaunchFacts &facts, FaultText &text) {
  if (!facts.code->debug)
    text << "  LANECL_DEBUG=optimized builds kernels with -g, so that the line, the sub-group and its lanes are "
            "known.\n";
  text << "  `lanecl check PROGRAM` finds out-of-bounds accesses; `lanecl gdb PROGRAM` stops at the fault.\n"
          "  LANECL_FAULT_REPORT=off turns this report off.\n";
}

// Returns the debug frame of the function that runs, or null if it is not known.
const abi::DebugFrame *debugFrame(const LaunchFacts &facts, const RunningGroups &groups, const Fault &fault,
                                  const CallChain &calls) {
  if (!facts.code->debug)
    return nullptr;
  const StackFrame stack = calls.stack_end != 0 ? StackFrame{fault.stack - kRedZone, calls.stack_end} : StackFrame{};
  const abi::DebugFrame *kernel = runningSubGroup(groups, stack);
  const abi::DebugFrame *frame = kernel ? runningFunction(*kernel, fault.stack - kRedZone) : nullptr;
  return frame && frame->mask != 0 ? frame : nullptr;
}

} // namespace

void describe(const Fault &fault, const RunningGroups &groups, FaultText &text) {
  const auto &facts = *static_cast<const LaunchFacts *>(groups.facts);
  const vectorizer::CodeMap *const map = mapOf(facts, fault.instruction);
  const CallChain calls =
      map && facts.code->debug ? callsTo(*map, {fault.instruction, fault.stack, fault.frame}) : CallChain{};
  text << "LaneCL: " << nameOf(fault.signal);
  describePlace(facts, map, fault, calls, text);
  if (fault.address)
    (text << ", " << accessTo(fault) << " ").hexadecimal(*fault.address);
  text << "\n";
  if (map)
    describeCalls(*map, calls, text);
  if (fault.address && (fault.signal == SIGSEGV || fault.signal == SIGBUS))
    describeAddress(facts, groups, *fault.address, text);
  if (const abi::DebugFrame *frame = debugFrame(facts, groups, fault, calls))
    describeSubGroup(groups, *frame, facts.code->free_groups, text);
  else
    describeRow(facts, groups, text);
  describeHint(facts, text);
}

} // namespace lanecl::icd
