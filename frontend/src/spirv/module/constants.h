// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constants that are computed from others.
#pragma once

#include "spirv/module/types.h"

namespace lanecl::frontend::spirv {

// The value of an integer or truth value, in the low bits, from those that `types` already has of constants before it;
// nothing where it is of another type or undefined.
std::optional<uint64_t> constantValue(const Instruction &constant, const Types &types);

} // namespace lanecl::frontend::spirv
