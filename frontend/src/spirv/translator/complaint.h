// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Explains a complaint of the translator in the module's terms.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Returns "error: … does not have" with the instruction or function that a message of the translator is about. The
// result is empty if the subject is not known.
std::string meaningOf(const std::string &complaint, const Module &module);

} // namespace lanecl::frontend::spirv
