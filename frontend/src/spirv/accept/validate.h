// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks the rules of SPIR-V itself, with the validator of SPIRV-Tools.
#pragma once

#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// False with the validator's messages in `error`.
bool validate(const Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
