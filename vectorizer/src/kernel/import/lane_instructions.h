// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Removes the bodies of those functions of the built-in library that are single instructions of this processor, so that
// they are not inlined. Lanes call them by name until they are widened to the instruction.
#pragma once

#include "pass_support/pass_context.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

void selectLaneInstructions(llvm::Module &module, const PassContext &context);

} // namespace lanecl::vectorizer
