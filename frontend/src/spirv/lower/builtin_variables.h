// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces loads through pointers into built-in variables by loads of whole variables, because the translator does not
// know such pointers.
#pragma once

#include "spirv/module/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// Replaces all such loads. Returns false with a message when such a pointer is used for anything but loading
// components.
bool loadBuiltinsWhole(Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
