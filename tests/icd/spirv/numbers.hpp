// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Modules that compute with numbers of every type.
#pragma once

#include "module.hpp"

namespace lanecl::test {

// Returns a module with the kernel %k from `rest`. The kernel may use the types %u8 to %u64, %f16 to %f64 and %bool,
// its id in %id_variable, the constants %one and %two of type %u64, and the functions of %std.
inline std::string moduleOfNumbers(const std::string &rest, const std::string &decorations = "") {
  return R"(
               OpCapability Vector16
        %std = OpExtInstImport "OpenCL.std"
               OpEntryPoint Kernel %k "k" %id_variable
               OpDecorate %id_variable BuiltIn GlobalLinearId
)" + decorations +
         R"(
       %void = OpTypeVoid
       %bool = OpTypeBool
         %u8 = OpTypeInt 8 0
        %u16 = OpTypeInt 16 0
        %u32 = OpTypeInt 32 0
        %u64 = OpTypeInt 64 0
        %f16 = OpTypeFloat 16
        %f32 = OpTypeFloat 32
        %f64 = OpTypeFloat 64
 %id_pointer = OpTypePointer Input %u64
        %one = OpConstant %u64 1
        %two = OpConstant %u64 2
%id_variable = OpVariable %id_pointer Input
)" + rest;
}

} // namespace lanecl::test
