// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals whether a kernel that has lost some of its text still declares all that it names.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

bool declaresAll(const Kernel &kernel);

} // namespace lanecl::fuzz
