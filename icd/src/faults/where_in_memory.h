// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An address in words. May be called in a signal handler.
#pragma once

#include "faults/fault_text.h"
#include "faults/launch_subject.h"
#include "scheduler/running_groups.h"

namespace lanecl::icd {

// "16 bytes behind the end of a buffer of 256 bytes, argument 0 'in'"; nothing when no memory is known.
void whereInMemory(const LaunchSubject &subject, const scheduler::RunningGroups &groups, uintptr_t address,
                   FaultText &text);

// The same of an address outside of the memory that it was meant to be in: as seen from a sub-buffer, not its buffer.
void whereOutsideMemory(const LaunchSubject &subject, const scheduler::RunningGroups &groups, uintptr_t address,
                        FaultText &text);

} // namespace lanecl::icd
