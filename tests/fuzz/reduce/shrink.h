// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What surrounds a kernel's text, made smaller.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

// The kernel with fewer launches, smaller NDRanges, or without an attribute: one change each.
std::vector<Kernel> withSmallerLaunches(const Kernel &kernel);

// Without the functions, memory and parameters that its text does not name.
Kernel withoutUnused(const Kernel &kernel);

} // namespace lanecl::fuzz
