// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a failing kernel small: launches shrink, statements are removed, and expressions become constants or parts of
// themselves.
#pragma once

#include "language/kernel.h"

namespace lanecl::fuzz {

using Fails = std::function<bool(const Kernel &)>;

// `fails` must hold for the given kernel, and then holds for the result. It must return false for a kernel whose
// behavior is undefined, such as one that has lost a barrier that it needs. When there is no more time, it returns
// false for all kernels.
Kernel reduce(Kernel kernel, const Fails &fails);

} // namespace lanecl::fuzz
