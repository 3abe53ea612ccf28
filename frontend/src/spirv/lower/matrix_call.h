// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions of SPV_INTEL_subgroup_matrix_multiply_accumulate and SPV_INTEL_2d_block_io as functions of OpenCL C.
#pragma once

#include "spirv/lower/builtin_call.h"

namespace lanecl::frontend::spirv {

// result_type result k_dimension a b c [operands]
BuiltinCall matrixMultiply(const Instruction &instruction, const Types &types);

// element_size width height count, then base memory_width memory_height pitch coordinate destination of a load, or
// source base memory_width memory_height pitch coordinate of a store. `form`: "read_", "read_transform_", …
BuiltinCall blockAccess(const std::string &form, const Instruction &instruction, const Types &types);

} // namespace lanecl::frontend::spirv
