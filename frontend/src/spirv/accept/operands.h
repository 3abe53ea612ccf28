// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operands that the validator lets pass and that have no meaning, or none in OpenCL C.
#pragma once

#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// False with a message that names the instruction. Specialization constants have their values.
bool checkOperands(const Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
