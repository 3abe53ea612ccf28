// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles one SPIR-V module to one object.
#pragma once

#include "frontend/frontend.h"
#include "opencl_c/compile.h"

namespace lanecl::frontend::spirv {

// Returns the name under which the disassembly of the module appears in debug information, or an empty name where no
// disassembly is wanted. With -g it is a real file, which this function writes so that a debugger can show it.
std::string nameText(const LanguageTraits &traits, const std::string &module, bool debug);

// Compiles the module. `text_name` is the result of nameText().
ObjectCode compile(const LanguageTraits &traits, const std::string &module, const SpecializationValues &values,
                   const std::string &text_name);

} // namespace lanecl::frontend::spirv
