// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of type bfloat16 (SPV_KHR_bfloat16, SPV_INTEL_bfloat16_arithmetic), which the translator does not know.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// They become integers of 16 bits. What is computed with them is computed in float and rounded to nearest even, which
// is as exact as the extensions ask for. False with a message for what the extensions do not allow, or what a detour by
// float would not give.
bool lowerBfloat16(Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
