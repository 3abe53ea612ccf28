// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Looks pointers up in the launch's buffers, the work-group's local memory, the program scope variables and the
// context's allocations, in this order. Each thread remembers the last answers.
#include "check/kernels/memory_bounds.h"

#include "faults/launch_facts.h"
#include "scheduler/running_groups.h"

#include <atomic>
#include <limits>
#include <new>
#include <optional>

namespace lanecl::icd {
namespace {

using scheduler::RunningGroups;

struct Bounds {
  uint64_t begin = 0, end = 0;
  bool is_readable = true, is_writable = true;

  bool isEmpty() const { return begin == end; }
  uint64_t size() const { return end - begin; }
  bool holds(uint64_t address) const { return address >= begin && address <= end; } // also true for the end itself
};

constexpr Bounds kEverything{0, std::numeric_limits<uint64_t>::max()};

Bounds boundsOf(const void *begin, uint64_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(begin);
  return {address, address + bytes};
}

template <class Registry> Bounds amongAllocations(Registry &registry, uint64_t address) {
  for (const uint64_t inside : {address, address - 1}) // the second one finds the allocation that ends at `address`
    if (const auto allocation = registry.find(reinterpret_cast<const void *>(inside)))
      return boundsOf(allocation->base, allocation->size);
  return {};
}

// Returns the bounds of a buffer or sub-buffer. If it uses memory of clSVMAlloc as its host pointer, the bounds are
// those of the whole allocation, since a kernel may go from one part of that to another.
Bounds boundsOf(const Memory &memory) {
  Bounds bounds = boundsOf(memory.data(), memory.size());
  if ((memory.flags() & CL_MEM_USE_HOST_PTR) != 0)
    if (const Bounds whole = amongAllocations(memory.context().svm(), bounds.begin); whole.holds(bounds.end))
      bounds = whole;
  bounds.is_readable = (memory.flags() & CL_MEM_WRITE_ONLY) == 0;
  bounds.is_writable = (memory.flags() & CL_MEM_READ_ONLY) == 0;
  return bounds;
}

// Returns the bounds of the launch's buffer that `address` is in, or empty ones. A kernel's argument is the start of
// its buffer or sub-buffer, so a buffer that starts at `address` is preferred to one that merely holds it. If several
// start there, it is not known which one was meant: the longest one's bounds count, with the access that any of them
// allows.
Bounds amongMemory(const LaunchFacts &facts, uint64_t address) {
  Bounds found;
  bool found_begins = false;
  for (const Ref<Memory> &memory : facts.memory) {
    const Bounds own = boundsOf(memory->data(), memory->size());
    if (!own.holds(address))
      continue;
    Bounds bounds = boundsOf(*memory);
    const bool begins = own.begin == address;
    if (begins && found_begins) {
      found.is_readable = bounds.is_readable = found.is_readable || bounds.is_readable;
      found.is_writable = bounds.is_writable = found.is_writable || bounds.is_writable;
    }
    if (found.isEmpty() || begins > found_begins || (begins == found_begins && bounds.size() > found.size())) {
      found = bounds;
      found_begins = begins;
    }
  }
  return found;
}

// Returns the bounds of the __local argument that starts at `address`, which may have no bytes, or else those of all
// local memory of the work-group. Returns nothing if `address` is not in local memory.
std::optional<Bounds> amongLocal(const LaunchFacts &facts, const RunningGroups &groups, uint64_t address) {
  const Bounds whole = boundsOf(groups.memory->local, groups.memory->local_bytes);
  if (whole.isEmpty() || !whole.holds(address))
    return std::nullopt;
  for (const LocalArgument &argument : facts.localArguments())
    if (whole.begin + argument.offset == address)
      return Bounds{address, address + argument.bytes};
  return whole;
}

Bounds search(const LaunchFacts &facts, const RunningGroups &groups, uint64_t address) {
  constexpr uint64_t kNullPage = 4096;
  if (address < kNullPage)
    return {};
  if (const Bounds bounds = amongMemory(facts, address); !bounds.isEmpty())
    return bounds;
  if (const auto bounds = amongLocal(facts, groups, address))
    return *bounds;
  if (const Bounds variables = boundsOf(groups.launch->variables, facts.code->variable_bytes);
      !variables.isEmpty() && variables.holds(address))
    return variables;
  if (!facts.code->context)
    return kEverything;
  if (const Bounds bounds = amongAllocations(facts.code->context->svm(), address); !bounds.isEmpty())
    return bounds;
  if (const Bounds bounds = amongAllocations(facts.code->context->usm(), address); !bounds.isEmpty())
    return bounds;
  if (facts.code->context->svm().wasFreed(address) || facts.code->context->usm().wasFreed(address))
    return {};
  return kEverything; // the host's memory, or LaneCL's own, such as the description of an image
}

// Rises with each launch, which makes remembered bounds invalid.
std::atomic<uint64_t> epoch{1};

// The bounds of a pointer that a thread has looked up.
struct Remembered {
  const void *pointer = nullptr;
  const void *facts = nullptr;
  uint64_t epoch = 0;
  Bounds bounds;
};

// A thread's cache of bounds, indexed by a hash of the pointer. The entries are on the heap, because by glibc's default
// the thread-local variables of all libraries that a process loads at run time share 1.6 KiB.
class LookedUp {
public:
  ~LookedUp() {
    gone = true;
    delete[] entries;
  }

  // Returns the entry for an address, or null if there is no memory for the entries or the thread is already ending.
  Remembered *entryOf(uintptr_t address) {
    if (!entries && !gone)
      entries = new (std::nothrow) Remembered[kEntries];
    return gone || !entries ? nullptr : &entries[(address >> 7 ^ address >> 13) % kEntries];
  }

private:
  static constexpr size_t kEntries = 16;
  Remembered *entries = nullptr;
  bool gone = false;
};
thread_local LookedUp looked_up;

Bounds search(const void *pointer) {
  const RunningGroups *const groups = scheduler::runningGroups();
  if (!groups || !groups->facts)
    return kEverything;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto &facts = *static_cast<const LaunchFacts *>(groups->facts);
  Remembered *const known = looked_up.entryOf(address);
  if (!known)
    return search(facts, *groups, address);
  const uint64_t now = epoch.load(std::memory_order_relaxed);
  if (known->pointer != pointer || known->facts != groups->facts || known->epoch != now)
    *known = {pointer, groups->facts, now, search(facts, *groups, address)};
  return known->bounds;
}

} // namespace

uint64_t memoryBegin(const void *pointer) {
  return search(pointer).begin;
}

void forgetMemoryBounds() {
  epoch.fetch_add(1, std::memory_order_relaxed);
}

uint64_t readableEnd(const void *pointer) {
  const Bounds bounds = search(pointer);
  return bounds.is_readable ? bounds.end : bounds.begin;
}

uint64_t writableEnd(const void *pointer) {
  const Bounds bounds = search(pointer);
  return bounds.is_writable ? bounds.end : bounds.begin;
}

} // namespace lanecl::icd
