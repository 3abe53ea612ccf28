// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a failing kernel small: launches shrink, statements go, expressions become constants or parts of themselves.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

using Fails = std::function<bool(const Kernel &)>;

// `fails` holds for the kernel and for the result. It refuses a kernel that is undefined, such as one that lost a
// barrier it needs, and says no to all when there is no more time.
Kernel reduce(Kernel kernel, const Fails &fails);

} // namespace lanecl::fuzz
