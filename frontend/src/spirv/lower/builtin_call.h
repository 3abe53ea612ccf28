// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions that are built-in functions of OpenCL C.
#pragma once

#include "spirv/module/types.h"

#include <optional>

namespace lanecl::frontend::spirv {

struct BuiltinCall {
  std::string name; // mangled; empty when there is none for these types
  std::vector<uint32_t> arguments;
  size_t counts = 0; // so many arguments at the end may have integer types of any width, and the function takes uint
  bool has_result = true; // the instruction starts with the result type and the result
};

// For instructions that the translator does not know; nothing for all others.
std::optional<BuiltinCall> builtinCall(const Instruction &instruction, const Types &types);

} // namespace lanecl::frontend::spirv
