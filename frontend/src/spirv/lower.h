// Instructions that the translator does not know, said with those that it knows.
#pragma once

#include "spirv/module.h"

#include <string>

namespace lanecl::frontend::spirv {

// False with a message when the module uses such an instruction in a way that has no other words.
bool lower(Module &module, std::string &error);

} // namespace lanecl::frontend::spirv
