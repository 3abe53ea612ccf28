// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes a fault inside a kernel. Everything here may be called in a signal handler.
#pragma once

#include "faults/fault_text.h"
#include "scheduler/running_groups.h"

#include <cstdint>
#include <optional>

namespace lanecl::icd {

// A signal with the registers of the thread that has caused it.
struct Fault {
  enum class Access { Unknown, Read, Write };

  int signal = 0;
  std::optional<uintptr_t> address; // the address that was accessed, or of the instruction that cannot be executed
  Access access = Access::Unknown;
  uintptr_t instruction = 0, stack = 0, frame = 0; // the registers
};

// Appends the report to `text`: kernel, line, calls, address, work-items, and hints for the user.
void describe(const Fault &fault, const scheduler::RunningGroups &groups, FaultText &text);

} // namespace lanecl::icd
