// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps operations on constants that have no defined result, such as 7 / 0, so that the vectorizer can define their
// result.
//
// The translator folds operations on constants. For these operations the result would be poison, and so would be that
// of every operation around them. The translator makes a store and a load of OpCopyObject, and does not fold the loaded
// value:
//
//   %q = OpSDiv %int %seven %zero    ->    %divisor = OpCopyObject %int %zero
//                                          %q = OpSDiv %int %seven %divisor
//
// A specialization constant has no place for a copy. There the result itself becomes a constant.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Changes divisions, shifts, and conversions from floating point to integers inside functions, and specialization
// constants of integer types.
void keepConstantOperations(Module &module);

} // namespace lanecl::frontend::spirv
