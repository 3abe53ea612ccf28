// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The report's lines on the innermost loops of a kernel's machine code: what limits them, and what they spill.
#pragma once

#include "vectorizer/vectorizer.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace lanecl::vectorizer {

// Generates the code as emit() does, from a module with its source locations, which is changed by it.
void reportLoops(llvm::Module &module, llvm::TargetMachine &target, std::vector<Remark> &remarks);

} // namespace lanecl::vectorizer
