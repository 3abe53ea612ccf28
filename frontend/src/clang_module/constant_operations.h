// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps operations of constants that have no defined result, such as 7 / 0, for the vectorizer, which defines it.
//
// Clang's IRBuilder computes operations of constants while it emits code. The result of these would be poison, and so
// would be that of every operation around them: (7 / 0 & 0) | 42 as well. An operand that is loaded from memory is no
// constant to it:
//
//   7 / 0                                 ->  7 / (int){0}
//   __builtin_convertvector((float2)(1e30f, 1.0f), int2)
//                                         ->  __builtin_convertvector((float2){(float2)(1e30f, 1.0f)}, int2)
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace lanecl::frontend {

// Changes functions before they are emitted: it comes before the consumer that does that.
std::unique_ptr<clang::ASTConsumer> makeConstantOperationKeeper();

} // namespace lanecl::frontend
