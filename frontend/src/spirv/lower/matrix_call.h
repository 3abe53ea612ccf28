// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces instructions of SPV_INTEL_subgroup_matrix_multiply_accumulate and SPV_INTEL_2d_block_io by OpenCL C
// functions.
#pragma once

#include "spirv/lower/builtin_call.h"

namespace lanecl::frontend::spirv {

// Operands: result_type result k_dimension a b c [operands]
BuiltinCall matrixMultiply(const Instruction &instruction, const Types &types);

// `form` is "read_", "read_transform_", "read_transpose_" or "write_". Operands:
//   element_size width height count
// then for a load
//   base memory_width memory_height pitch coordinate destination
// and for a store
//   source base memory_width memory_height pitch coordinate
BuiltinCall blockAccess(const std::string &form, const Instruction &instruction, const Types &types);

} // namespace lanecl::frontend::spirv
