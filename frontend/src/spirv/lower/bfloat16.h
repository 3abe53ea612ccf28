// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lowers the type bfloat16 (SPV_KHR_bfloat16, SPV_INTEL_bfloat16_arithmetic), which the translator does not know.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Replaces bfloat16 by integers of 16 bits. Operations are computed in float and rounded to nearest even, which is as
// exact as the extensions require. Returns false with a message for operations that the extensions do not allow, or
// that a detour through float would not compute correctly.
bool lowerBfloat16(Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
