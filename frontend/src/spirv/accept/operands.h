// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rejects operands that the validator accepts but that have no meaning, or none in OpenCL C.
#pragma once

#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// Checks all instructions. Returns false with a message that names the first wrong one. Specialization constants must
// have their values already.
bool checkOperands(const Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
