// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps the uses of memory by commands that the host has not seen the end of, and compares each new use with them.
#include "check/host/command_checks.h"

#include "api/memory_watch.h"
#include "check/host/command_names.h"
#include "check/host/host_caller.h"
#include "check/host/host_finding.h"
#include "icd/counted.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace lanecl::icd {
namespace {

using Access = MemoryUse::Access;
using Id = CommandOrder::Id;

// The addresses from the start of a use to its end. A box of several rows may have gaps in between.
struct Span {
  uintptr_t begin, end;
};

Span spanOf(const MemoryUse &use) {
  size_t end = 0;
  rectEnd(use.rect, use.box, end);
  const auto address = reinterpret_cast<uintptr_t>(use.begin);
  return {address + use.rect.offset, address + end};
}

bool overlap(const Span &a, const Span &b) {
  return a.begin < b.end && b.begin < a.end;
}

bool contains(const Span &outer, const Span &inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

// Whether the use is one row, which has no gaps.
bool isDense(const MemoryUse &use) {
  return use.box[1] == 1 && use.box[2] == 1;
}

Span rowOf(const MemoryUse &use, size_t row, size_t slice) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(use.begin) + use.rect.rowOffset(row, slice);
  return {begin, begin + use.box[0]};
}

// Whether a row of the use overlaps the span.
bool hasRowIn(const MemoryUse &use, const Span &span) {
  for (size_t slice = 0; slice < use.box[2]; ++slice) {
    const uintptr_t first = rowOf(use, 0, slice).begin;
    const size_t pitch = use.box[1] > 1 ? use.rect.row_pitch : 0;
    // `below` is the last row that starts before the span ends: if that one does not overlap the span, no row does.
    const size_t below = pitch == 0 || span.end <= first ? 0 : std::min((span.end - 1 - first) / pitch, use.box[1] - 1);
    if (overlap(rowOf(use, below, slice), span))
      return true;
  }
  return false;
}

bool overlap(const MemoryUse &a, const MemoryUse &b) {
  if (!overlap(spanOf(a), spanOf(b)))
    return false;
  if (isDense(a))
    return hasRowIn(b, spanOf(a));
  for (size_t slice = 0; slice < a.box[2]; ++slice)
    for (size_t row = 0; row < a.box[1]; ++row)
      if (hasRowIn(b, rowOf(a, row, slice)))
        return true;
  return false;
}

// Whether two accesses of the same bytes need an order.
bool conflict(Access a, Access b) {
  if (a == Access::Keeps || b == Access::Keeps || (a == Access::Updates && b == Access::Updates))
    return false;
  return std::max(a, b) > Access::Reads;
}

// A use of memory by a command that the host does not know to be complete.
struct Use {
  Id id;
  CommandOrder::Queue queue; // key null: the host's use of a mapped region
  std::string command;       // as "clEnqueueNDRangeKernel of 'add'"
  const void *caller;
  MemoryUse memory;
};

// Memory that the program has made: a memory object or an allocation.
struct Made {
  size_t bytes;
  const char *kind;
  const void *caller;
};

// Implements the functions of the header, which call the one object of this class. Thread-safe.
class Checker {
public:
  explicit Checker(Findings &all) : findings(all) {}

  Id note(CommandOrder::Queue queue, CommandOrder::Role role, CommandNote note) {
    const void *const caller = hostCallAddress();
    std::string name = nameOfCommand(note.type);
    if (!note.kernel.empty())
      name += " of '" + note.kernel + "'";
    const std::lock_guard lock(mutex);
    const Id id = order.add(queue, role, note.wait_list);
    for (MemoryUse &use : note.uses)
      addUse({id, queue, name, caller, std::move(use)});
    return id;
  }

  void noteMapping(const void *object, const void *pointer, Id after, MemoryUse memory) {
    const void *const caller = hostCallAddress();
    const std::lock_guard lock(mutex);
    const Id id = order.addHostUse(after);
    mappings.insert({{object, pointer}, id});
    addUse({id, {nullptr, false}, "the host", caller, std::move(memory)});
  }

  Id takeMapping(const void *object, const void *pointer) {
    const std::lock_guard lock(mutex);
    const auto found = mappings.find({object, pointer});
    if (found == mappings.end())
      return 0;
    const Id id = found->second;
    mappings.erase(found);
    return id;
  }

  Id noteUserEvent() {
    const std::lock_guard lock(mutex);
    return order.addUserEvent();
  }

  void noteUserEventSet(Id event) {
    const std::lock_guard lock(mutex);
    order.setUserEvent(event);
    decideAgain();
  }

  Id noteAwaitedSignal() {
    const std::lock_guard lock(mutex);
    return order.addAwaitedSignal();
  }

  void noteAwaitedSignalSet(Id awaited, Id command) {
    const std::lock_guard lock(mutex);
    order.setAwaitedSignal(awaited, command);
    decideAgain();
  }

  void noteSeen(const std::vector<Id> &commands) {
    const std::lock_guard lock(mutex);
    order.hostHasSeen(commands);
    forgetSeen();
  }

  bool isSeen(Id command) {
    const std::lock_guard lock(mutex);
    return order.isSeen(command);
  }

  std::vector<Id> latest(const void *queue) {
    const std::lock_guard lock(mutex);
    return order.latestOf(queue);
  }

  void forgetQueue(const void *queue) {
    const std::lock_guard lock(mutex);
    order.forgetQueue(queue);
  }

  void made(const void *begin, size_t bytes, const char *kind) {
    const void *const caller = hostCallAddress();
    const std::lock_guard lock(mutex);
    memory[reinterpret_cast<uintptr_t>(begin)] = {bytes, kind, caller};
  }

  void gone(const void *begin) {
    const std::lock_guard lock(mutex);
    const auto found = memory.find(reinterpret_cast<uintptr_t>(begin));
    if (found == memory.end())
      return;
    const Span span{found->first, found->first + found->second.bytes};
    std::erase_if(uses, [&](const Use &use) { return overlap(spanOf(use.memory), span); });
    memory.erase(found);
  }

  // Ends the mappings of a memory object that is gone.
  void objectGone(const void *object) {
    const std::lock_guard lock(mutex);
    const auto begin = mappings.lower_bound({object, nullptr});
    auto end = begin;
    for (; end != mappings.end() && end->first.first == object; ++end)
      forget(end->second);
    mappings.erase(begin, end);
  }

  void freed(const char *function, const void *begin, size_t bytes) {
    const auto address = reinterpret_cast<uintptr_t>(begin);
    const std::lock_guard lock(mutex);
    for (const Use &use : uses)
      if (use.queue.key && !order.isSeen(use.id) && overlap(spanOf(use.memory), {address, address + bytes}))
        return reportHost(findings, "freed-while-used", function + by(hostCallAddress()),
                          std::string(function) + " of " + describeMemory(use.memory) + " while " + use.command +
                              " may still use it as " + use.memory.what +
                              "; the program has not waited for that command" +
                              calledBy(use.caller, hostCallAddress()));
  }

  void wrongUnmap(const void *pointer) {
    char address[32];
    std::snprintf(address, sizeof address, "%p", pointer);
    const std::string caller = by(hostCallAddress());
    reportHost(findings, "unmapped-too-often", "clEnqueueUnmapMemObject" + caller,
               std::string("clEnqueueUnmapMemObject: ") + address + " is not mapped, or was already unmapped" +
                   (caller.empty() ? "" : ";" + caller));
  }

private:
  static constexpr size_t kMost = 4096; // uses that are kept

  void addUse(Use added) {
    const Span span = spanOf(added.memory);
    if (span.begin == span.end)
      return;
    for (const Use &before : uses)
      if (before.id != added.id && conflict(before.memory.access, added.memory.access) &&
          !isOrderedByQueue(before, added) && !isByMappedPointer(before, added) && overlap(before.memory, added.memory))
        decide(before, added);
    // Drops uses that the new one replaces: they are earlier in the same in-order queue, and inside the new one. A
    // command that is ordered after the new use is ordered after those, too.
    std::erase_if(uses, [&](const Use &before) {
      return isOrderedByQueue(before, added) && isDense(added.memory) && before.memory.access == added.memory.access &&
             contains(span, spanOf(before.memory));
    });
    if (uses.size() == kMost)
      uses.pop_front();
    uses.push_back(std::move(added));
  }

  static bool isOrderedByQueue(const Use &before, const Use &added) {
    return before.queue.key && before.queue.key == added.queue.key && before.queue.in_order;
  }

  // Whether the command transfers through a pointer into a region that is mapped for writing, which the host may do.
  static bool isByMappedPointer(const Use &before, const Use &added) {
    return !before.queue.key && before.memory.access == Access::Writes && added.memory.of_host;
  }

  // Reports a conflict unless the uses are ordered. A command that was enqueued first may come after the other one if
  // it waits for a signal. If one of them waits for a user event that is not set, or for a signal that is not enqueued,
  // the program may still order them, so the decision is put off until that happens.
  void decide(const Use &first, const Use &second) {
    if (order.isSeen(first.id) || order.isSeen(second.id) || order.isBefore(first.id, second.id) ||
        order.isBefore(second.id, first.id))
      return;
    if (!order.isOpen(first.id) && !order.isOpen(second.id))
      report(first, second);
    else if (undecided.size() < kMost)
      undecided.emplace_back(first, second);
  }

  void decideAgain() {
    const std::vector<std::pair<Use, Use>> waiting = std::exchange(undecided, {});
    for (const auto &[first, second] : waiting)
      decide(first, second);
  }

  void report(const Use &first, const Use &second) {
    const bool is_mapped = !first.queue.key;
    const std::string what = is_mapped ? describe(second) + " and is not ordered after the unmapping of " +
                                             describeMemory(first.memory) + ", which is mapped for " +
                                             (first.memory.access == Access::Writes ? "writing" : "reading")
                                       : describe(first) + " and " + describe(second) +
                                             ", and nothing orders them: both use " + describeMemory(second.memory);
    const bool is_known = !first.memory.is_start && !second.memory.is_start;
    reportHost(findings,
               !is_known   ? "unordered-pointers"
               : is_mapped ? "used-while-mapped"
                           : "unordered-commands",
               first.command + by(first.caller) + " and " + second.command + by(second.caller),
               what + calledBy(first.caller, second.caller));
  }

  static std::string describe(const Use &use) {
    const char *const does = use.memory.access == Access::Writes    ? " writes "
                             : use.memory.access == Access::Updates ? " updates "
                                                                    : " reads ";
    return use.command + does + use.memory.what;
  }

  std::string describeMemory(const MemoryUse &use) const {
    const uintptr_t begin = spanOf(use).begin;
    const auto next = memory.upper_bound(begin);
    if (next == memory.begin() || begin >= std::prev(next)->first + std::prev(next)->second.bytes)
      return "host memory";
    const Made &made = std::prev(next)->second;
    const std::string caller = by(made.caller);
    return std::string(made.kind) + " of " + counted(made.bytes, "byte") +
           (caller.empty() ? "" : " (created" + caller + ")");
  }

  static std::string by(const void *caller) {
    const std::string text = describeCall(caller);
    return text.empty() ? text : " by " + text;
  }

  static std::string calledBy(const void *first, const void *second) {
    const std::string one = describeCall(first), other = describeCall(second);
    if (one.empty() || other.empty())
      return {};
    return "; called by " + one + (one == other ? "" : " and by " + other);
  }

  void forget(Id id) {
    std::erase_if(uses, [&](const Use &use) { return use.id == id; });
    std::erase_if(undecided, [&](const auto &pair) { return pair.first.id == id || pair.second.id == id; });
  }

  void forgetSeen() {
    std::erase_if(uses, [&](const Use &use) { return order.isSeen(use.id); });
    std::erase_if(undecided,
                  [&](const auto &pair) { return order.isSeen(pair.first.id) || order.isSeen(pair.second.id); });
  }

  Findings &findings;
  std::mutex mutex;
  CommandOrder order;
  std::deque<Use> uses;
  std::vector<std::pair<Use, Use>> undecided;                        // see decide()
  std::multimap<std::pair<const void *, const void *>, Id> mappings; // by memory object and mapped pointer
  std::map<uintptr_t, Made> memory;                                  // by address
};

std::atomic<Checker *> checker{nullptr}; // never destroyed: other threads may go on while the process exits
pid_t checked_process = 0;

// Returns the checker, or null if there is none. A forked process has none: its parent's commands do not run there.
Checker *current() {
  Checker *const one = checker.load(std::memory_order_relaxed);
  return one && checked_process == getpid() ? one : nullptr;
}

constexpr MemoryWatch kWatch{.made =
                                 [](const void *begin, size_t bytes, const char *kind) {
                                   if (Checker *const one = current())
                                     one->made(begin, bytes, kind);
                                 },
                             .gone =
                                 [](const void *begin, size_t) {
                                   if (Checker *const one = current())
                                     one->gone(begin);
                                 },
                             .freed =
                                 [](const char *function, const void *begin, size_t bytes) {
                                   if (Checker *const one = current())
                                     one->freed(function, begin, bytes);
                                 },
                             .object_gone =
                                 [](const void *object) {
                                   if (Checker *const one = current())
                                     one->objectGone(object);
                                 }};

} // namespace

MemoryUse MemoryUse::ofBytes(const void *begin, size_t bytes, Access access, std::string what) {
  return {static_cast<const std::byte *>(begin),
          {.offset = 0, .row_pitch = bytes, .slice_pitch = bytes},
          {bytes, 1, 1},
          access,
          std::move(what)};
}

void startCommandChecks(Findings &findings) {
  checked_process = getpid();
  checker = new Checker(findings);
  watchMemory(kWatch);
}

bool areCommandsChecked() {
  return current() != nullptr;
}

Id noteCommand(CommandOrder::Queue queue, CommandOrder::Role role, CommandNote note) {
  Checker *const one = current();
  return one ? one->note(queue, role, std::move(note)) : 0;
}

void noteMapping(const void *object, const void *pointer, Id after, MemoryUse use) {
  if (Checker *const one = current())
    one->noteMapping(object, pointer, after, std::move(use));
}

Id takeMapping(const void *object, const void *pointer) {
  Checker *const one = current();
  return one ? one->takeMapping(object, pointer) : 0;
}

void noteWrongUnmap(const void *pointer) {
  if (Checker *const one = current())
    one->wrongUnmap(pointer);
}

Id noteAwaitedSignal() {
  Checker *const one = current();
  return one ? one->noteAwaitedSignal() : 0;
}

void noteAwaitedSignalSet(Id awaited, Id command) {
  if (Checker *const one = current())
    one->noteAwaitedSignalSet(awaited, command);
}

Id noteUserEvent() {
  Checker *const one = current();
  return one ? one->noteUserEvent() : 0;
}

void noteUserEventSet(Id event) {
  if (Checker *const one = current())
    one->noteUserEventSet(event);
}

void noteQueueGone(const void *queue) {
  if (Checker *const one = current())
    one->forgetQueue(queue);
}

void noteSeen(const std::vector<Id> &commands) {
  if (Checker *const one = current())
    one->noteSeen(commands);
}

bool isSeen(Id command) {
  Checker *const one = current();
  return one && one->isSeen(command);
}

std::vector<Id> latestCommands(const void *queue) {
  Checker *const one = current();
  return one ? one->latest(queue) : std::vector<Id>();
}

} // namespace lanecl::icd
