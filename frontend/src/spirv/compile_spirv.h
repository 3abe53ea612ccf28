// One SPIR-V module to one object.
#pragma once

#include "compile.h"
#include "frontend/frontend.h"

namespace lanecl::frontend::spirv {

ObjectCode compile(const LanguageTraits &traits, const std::string &module, const SpecializationValues &values);

} // namespace lanecl::frontend::spirv
