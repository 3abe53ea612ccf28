// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Renames functions in which the translator would find an intrinsic function of LLVM.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Compilers whose LLVM has untyped pointers write loops in place of intrinsics, as functions with names such as
// "spirv.llvm_memset_p0_i32". From these names the translator makes intrinsics again, but with the names that typed
// pointers have, which LLVM does not know.
void renameHelpers(Module &module);

} // namespace lanecl::frontend::spirv
