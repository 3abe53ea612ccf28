// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps operations of constants that have no defined result, such as a division of 7 by 0, for the vectorizer, which
// defines it.
//
// The translator computes operations of constants. The result of these would be poison, and so would be that of every
// operation around them. OpCopyObject becomes a store and a load, which is no constant to it:
//
//   %q = OpSDiv %int %seven %zero    ->    %divisor = OpCopyObject %int %zero
//                                          %q = OpSDiv %int %seven %divisor
//
// In a specialization constant, which has no place for a copy, the result becomes a constant.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Changes divisions, shifts and conversions from floating point to integers in functions, and specialization constants
// of integers.
void keepConstantOperations(Module &module);

} // namespace lanecl::frontend::spirv
