// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the device supports of SPIR-V: versions, capabilities, extensions, and OpenCL's rules about models.
#pragma once

#include "frontend/frontend.h"
#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// False with a message that names what the device lacks.
bool checkEnvironment(const Module &module, const LanguageTraits &traits, std::string &error);

} // namespace lanecl::frontend::spirv
