// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which memory a launch uses, as far as its arguments say, for check mode.
#pragma once

#include "check/command_checks.h"
#include "program/kernel.h"

#include <vector>

namespace lanecl::icd {

std::vector<MemoryUse> usesOf(const Kernel &kernel); // with the arguments that it has now

} // namespace lanecl::icd
