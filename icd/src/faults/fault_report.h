// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes a fault inside a kernel. Everything here may be called in a signal handler.
#pragma once

#include "faults/fault_text.h"
#include "scheduler/running_groups.h"

#include <cstdint>
#include <optional>

namespace lanecl::icd {

struct Fault {
  enum class Access { Unknown, Read, Write };

  int signal = 0;
  std::optional<uintptr_t> address; // that could not be accessed, or of the instruction that could not be executed
  Access access = Access::Unknown;
  uintptr_t instruction = 0, stack = 0, frame = 0; // the registers
};

void describe(const Fault &fault, const scheduler::RunningGroups &groups, FaultText &text);

} // namespace lanecl::icd
