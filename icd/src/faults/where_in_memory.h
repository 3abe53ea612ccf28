// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes an address by the memory that it belongs to. May be called in a signal handler, with Locks::Try.
#pragma once

#include "faults/fault_text.h"
#include "faults/launch_facts.h"
#include "faults/nearest_memory.h"
#include "scheduler/running_groups.h"

namespace lanecl::icd {

// Appends "16 bytes past the end of a buffer (256 bytes, argument 0 'in')", or nothing if no memory is known.
void whereInMemory(const LaunchFacts &facts, const scheduler::RunningGroups &groups, uintptr_t address, Locks locks,
                   FaultText &text);

// Does the same for an address that is out of bounds. If the address missed a sub-buffer but is still inside its
// buffer, it is described relative to the sub-buffer.
void whereOutsideMemory(const LaunchFacts &facts, const scheduler::RunningGroups &groups, uintptr_t address,
                        Locks locks, FaultText &text);

} // namespace lanecl::icd
