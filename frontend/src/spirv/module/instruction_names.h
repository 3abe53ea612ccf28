// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names of instructions for messages.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// "OpGroupIMulKHR (6401)", and the number alone of one that nobody knows.
std::string nameOf(spv::Op op);

} // namespace lanecl::frontend::spirv
