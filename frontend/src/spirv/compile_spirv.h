// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One SPIR-V module to one object.
#pragma once

#include "frontend/frontend.h"
#include "opencl_c/compile.h"

namespace lanecl::frontend::spirv {

ObjectCode compile(const LanguageTraits &traits, const std::string &module, const SpecializationValues &values);

} // namespace lanecl::frontend::spirv
