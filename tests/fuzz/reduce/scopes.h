// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether a kernel that lost some of its text still declares what it names.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

bool declaresAll(const Kernel &kernel);

} // namespace lanecl::fuzz
