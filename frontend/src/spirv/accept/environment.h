// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks whether the device supports a module: its version, its capabilities and extensions, and the rules of the
// OpenCL SPIR-V Environment Specification about models and types.
#pragma once

#include "frontend/frontend.h"
#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// Checks all instructions. Returns false with a message that names what the device lacks.
bool checkEnvironment(const Module &module, const LanguageTraits &traits, std::string &error);

} // namespace lanecl::frontend::spirv
