// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks the rules of SPIR-V itself, with the validator of SPIRV-Tools.
#pragma once

#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// Returns false with the validator's messages in `error` if the module is not valid.
bool validate(const Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
