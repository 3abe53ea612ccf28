// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes smaller what surrounds a kernel's text.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

// Returns kernels with fewer launches, with smaller NDRanges, or without an attribute. Each differs from the given one
// by one change.
std::vector<Kernel> withSmallerLaunches(const Kernel &kernel);

// Returns the kernel without the functions, memory and parameters that its text does not name.
Kernel withoutUnused(const Kernel &kernel);

} // namespace lanecl::fuzz
