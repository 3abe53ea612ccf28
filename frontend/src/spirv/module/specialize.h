// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives specialization constants the values that the program chose (clSetProgramSpecializationConstant).
#pragma once

#include "frontend/frontend.h"
#include "spirv/module/module.h"

#include <optional>

namespace lanecl::frontend::spirv {

// Returns the size in bytes of the constant with this SpecId (1 for a boolean one), or nothing when there is none.
std::optional<size_t> constantSize(const Module &module, uint32_t number);

// Sets the values of the constants that `values` names. The others keep the module's values.
void specialize(Module &module, const SpecializationValues &values);

} // namespace lanecl::frontend::spirv
