// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps operations on constants that have no defined result, such as 7 / 0, so that the vectorizer can define their
// result.
//
// Clang's IRBuilder folds operations on constants while it emits code. For these operations the result would be poison,
// and so would be that of every operation around them, such as (7 / 0 & 0) | 42. The IRBuilder does not fold an operand
// that is loaded from memory, so the keeper replaces operands by compound literals:
//
//   7 / 0                                 ->  7 / (int){0}
//   __builtin_convertvector((float2)(1e30f, 1.0f), int2)
//                                         ->  __builtin_convertvector((float2){(float2)(1e30f, 1.0f)}, int2)
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace lanecl::frontend {

// Returns a consumer that changes functions before they are emitted. It must come before the consumer that emits them.
std::unique_ptr<clang::ASTConsumer> makeConstantOperationKeeper();

} // namespace lanecl::frontend
