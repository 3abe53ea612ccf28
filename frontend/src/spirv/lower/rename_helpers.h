// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives other names to functions in which the translator would find an intrinsic function of LLVM.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Compilers that have pointers without types write loops in place of intrinsics, as functions with names like
// "spirv.llvm_memset_p0_i32". The translator makes intrinsics of them again, by names of pointers with types.
void renameHelpers(Module &module);

} // namespace lanecl::frontend::spirv
