// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The remarks of the vectorization report (`lanecl compile --report`).
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instruction.h"

namespace lanecl::vectorizer {

// Adds a remark with the source location of the instruction. Does nothing unless remarks are requested.
void addRemark(PassContext &context, Remark::Kind kind, const llvm::Instruction &at, const llvm::Twine &text);

} // namespace lanecl::vectorizer
