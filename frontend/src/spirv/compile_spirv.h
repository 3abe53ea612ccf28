// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One SPIR-V module to one object.
#pragma once

#include "frontend/frontend.h"
#include "opencl_c/compile.h"

namespace lanecl::frontend::spirv {

// The name under which the text of textOfSpirv() appears in debug information, where that is wanted, and empty
// elsewhere. With -g it is a real file, written here, so that a debugger can show it.
std::string nameText(const LanguageTraits &traits, const std::string &module, bool debug);

ObjectCode compile(const LanguageTraits &traits, const std::string &module, const SpecializationValues &values,
                   const std::string &text_name);

} // namespace lanecl::frontend::spirv
