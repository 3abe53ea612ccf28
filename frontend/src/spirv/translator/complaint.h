// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the translator complains about, in the module's terms.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// "error: … does not have" with the instruction or the function that a message of the translator is about; empty when
// nobody knows.
std::string meaningOf(const std::string &complaint, const Module &module);

} // namespace lanecl::frontend::spirv
