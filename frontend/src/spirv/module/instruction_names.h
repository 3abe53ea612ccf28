// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names instructions in messages.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Returns a name such as "OpGroupIMulKHR (6401)", or only the number when the instruction is unknown.
std::string nameOf(spv::Op op);

} // namespace lanecl::frontend::spirv
