// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Specialization constants get the values that the program chose.
#pragma once

#include "frontend/frontend.h"
#include "spirv/module/module.h"

#include <optional>

namespace lanecl::frontend::spirv {

std::optional<size_t> constantSize(const Module &module, uint32_t number);

// Constants without a value keep the module's.
void specialize(Module &module, const SpecializationValues &values);

} // namespace lanecl::frontend::spirv
