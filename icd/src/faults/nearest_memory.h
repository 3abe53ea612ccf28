// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory that an address belongs to, or that it misses by least. May be called in a signal handler.
#pragma once

#include "faults/launch_subject.h"
#include "scheduler/running_groups.h"

#include <optional>

namespace lanecl::icd {

struct NearMemory {
  const char *what = ""; // "a buffer"
  uintptr_t begin = 0;
  uint64_t bytes = 0;

  uint64_t before(uintptr_t address) const { return address < begin ? begin - address : 0; }
  uint64_t behind(uintptr_t address) const { return address >= begin + bytes ? address - (begin + bytes) : 0; }
  bool contains(uintptr_t address) const { return address - begin < bytes; }
  uint64_t distance(uintptr_t address) const { return contains(address) ? 0 : 1 + before(address) + behind(address); }
};

// Nothing when no memory of the launch's context is known, or other threads allocate just now.
std::optional<NearMemory> nearestMemory(const LaunchSubject &subject, const scheduler::RunningGroups &groups,
                                        uintptr_t address);

// The nearest sub-buffer among the arguments that does not have the address, which is in its buffer.
std::optional<NearMemory> nearestPart(const LaunchSubject &subject, uintptr_t address);

} // namespace lanecl::icd
