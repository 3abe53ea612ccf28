// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes for check mode which memory a launch accesses, as far as the kernel's arguments tell.
#pragma once

#include "check/host/command_checks.h"
#include "program/kernel.h"

#include <vector>

namespace lanecl::icd {

std::vector<MemoryUse> usesOf(const Kernel &kernel); // with the arguments that the kernel has now

} // namespace lanecl::icd
