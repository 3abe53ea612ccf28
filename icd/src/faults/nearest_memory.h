// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the memory that contains an address, or else the memory closest to it. May be called in a signal handler.
#pragma once

#include "faults/launch_facts.h"
#include "scheduler/running_groups.h"

#include <optional>

namespace lanecl::icd {

struct NearMemory {
  const char *what = ""; // "a buffer"
  uintptr_t begin = 0;
  uint64_t bytes = 0;

  // The number of bytes from the address to the start, from the end to the address, and to the memory; 0 if none.
  uint64_t before(uintptr_t address) const { return address < begin ? begin - address : 0; }
  uint64_t behind(uintptr_t address) const { return address >= begin + bytes ? address - (begin + bytes) : 0; }
  bool contains(uintptr_t address) const { return address - begin < bytes; }
  uint64_t distance(uintptr_t address) const { return contains(address) ? 0 : 1 + before(address) + behind(address); }
};

// Whether a search waits for the locks of the context's memory. In a signal handler it must not: kinds of memory that
// another thread is allocating or freeing at the time are left out.
enum class Locks { Wait, Try };

// Returns the memory of the launch's context, its program scope variables, or its work-group that is nearest. Returns
// nothing if none is known.
std::optional<NearMemory> nearestMemory(const LaunchFacts &facts, const scheduler::RunningGroups &groups,
                                        uintptr_t address, Locks locks);

// Returns the nearest sub-buffer among the launch's arguments whose buffer contains the address, while the sub-buffer
// itself does not: an access past the end of a sub-buffer is usually still inside the buffer.
std::optional<NearMemory> nearestPart(const LaunchFacts &facts, uintptr_t address);

} // namespace lanecl::icd
