// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Generates machine code from optimized IR.
#pragma once

#include "codegen/machine_loops.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace lanecl::vectorizer {

struct Emitted {
  llvm::SmallString<0> bytes;      // an object file, or assembly
  uint64_t spill_bytes = 0;        // stack slots for spilled registers, of the function that has the most
  uint64_t vector_spill_bytes = 0; // those of them that hold vectors
  uint64_t stack_bytes = 0;        // of all functions' frames: without recursion no call needs more
  std::string error;               // empty on success
};

Emitted emit(llvm::Module &module, llvm::TargetMachine &target, llvm::CodeGenFileType type);

// Makes the same code and only tells of its innermost loops. The module has its source locations for that.
void emitLoops(llvm::Module &module, llvm::TargetMachine &target, const UseLoops &use);

} // namespace lanecl::vectorizer
