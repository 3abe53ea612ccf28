// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The built-in library's functions that are instructions of this processor lose their bodies: the lanes call them by
// name until they are widened.
#pragma once

#include "pass_support/pass_context.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

void selectLaneInstructions(llvm::Module &module, const PassContext &context);

} // namespace lanecl::vectorizer
