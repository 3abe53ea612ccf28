// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Generates machine code from optimized IR, by LLVM's code generator without the passes that would be too slow for the
// module.
#pragma once

#include "codegen/machine_loops.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace lanecl::vectorizer {

// The result of emit().
struct Emitted {
  llvm::SmallString<0> bytes;      // an object file, or the text of assembly
  uint64_t spill_bytes = 0;        // size of the stack slots for spilled registers, in the function that has the most
  uint64_t vector_spill_bytes = 0; // the part of them that holds vectors
  uint64_t stack_bytes = 0;        // the frames of all functions together: without recursion no call needs more
  std::string error;               // empty on success
};

// Gives the program's variables names that only they can have. The code generator calls functions such as `memcpy` by
// name, and would call a table that the program calls `memcpy`.
void renameVariables(llvm::Module &module);

// Generates an object file or assembly. `use` gets the innermost loops of an object file, with their source locations
// if the module has any. `instructions` is the number of instructions of the whole kernel if the module is only a part
// of it: a long kernel goes without some passes.
Emitted emit(llvm::Module &module, llvm::TargetMachine &target, llvm::CodeGenFileType type, const UseLoops &use = {},
             uint64_t instructions = 0);
// Whether a kernel of so many instructions is long.
bool isLongKernel(uint64_t instructions);

} // namespace lanecl::vectorizer
