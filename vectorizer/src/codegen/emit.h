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

// `use` is told of the innermost loops of an object file, whose places are known if the module has source locations.
Emitted emit(llvm::Module &module, llvm::TargetMachine &target, llvm::CodeGenFileType type, const UseLoops &use = {});

} // namespace lanecl::vectorizer
