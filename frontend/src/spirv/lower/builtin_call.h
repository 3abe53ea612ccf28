// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Maps instructions to built-in functions of OpenCL C and of the library.
#pragma once

#include "spirv/module/types.h"

#include <optional>

namespace lanecl::frontend::spirv {

// A call that replaces an instruction.
struct BuiltinCall {
  std::string name; // mangled; empty when no function takes these types
  std::vector<uint32_t> arguments;
  // The number of arguments at the end that the function takes as uint, while the instruction takes integers of any
  // width.
  size_t counts = 0;
  bool has_result = true; // the instruction starts with the result type and the result
};

// Returns the call for an instruction that the translator does not know, or nothing for other instructions.
std::optional<BuiltinCall> builtinCall(const Instruction &instruction, const Types &types);

} // namespace lanecl::frontend::spirv
