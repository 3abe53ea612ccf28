// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the report's remarks about the innermost loops in a kernel's machine code: what limits them, and what they
// spill.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace lanecl::vectorizer {

// Generates code in the same way as emit(), from a module with source locations, and reports its loops. The module is
// changed and cannot be used afterwards.
void reportLoops(llvm::Module &module, llvm::TargetMachine &target, std::vector<Remark> &remarks);

} // namespace lanecl::vectorizer
