// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Evaluates integer and boolean constants, including those computed from specialization constants.
#pragma once

#include "spirv/module/types.h"

namespace lanecl::frontend::spirv {

// Returns the value of an integer or boolean constant, in the low bits. `types` must hold the constants before this
// one. Returns nothing if the constant is of another type, or if its value is not known.
std::optional<uint64_t> constantValue(const Instruction &constant, const Types &types);

} // namespace lanecl::frontend::spirv
