// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces instructions that the translator does not know by instructions that it knows.
#pragma once

#include "frontend/frontend.h"
#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// Returns false with a message when the module uses such an instruction in a way that cannot be replaced, or that the
// device lacks.
bool lower(Module &module, const LanguageTraits &traits, std::string &error);

} // namespace lanecl::frontend::spirv
