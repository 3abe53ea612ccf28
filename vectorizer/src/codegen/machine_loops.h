// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Records the innermost loops of a kernel's machine code while the code is written.
#pragma once

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <functional>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// A place in the kernel's source. If the line is 0, there is none.
struct LoopLocation {
  std::string file;
  unsigned line = 0, column = 0;
  bool operator==(const LoopLocation &) const = default;
};
LoopLocation sourcePlace(const llvm::DebugLoc &location);

// An instruction of a loop.
struct LoopInstruction {
  llvm::MCInst code;
  LoopLocation place;
  uint64_t spill_bytes = 0; // bytes that it stores to or loads from spill slots
};

// An innermost loop.
struct MachineLoopCode {
  LoopLocation place;
  std::vector<LoopInstruction> instructions; // in the order of the code, without sides of branches that rarely run
  bool calls = false;                        // whether the loop calls functions
  double turns = 0;                          // the estimated iterations in one call of the function
};

// Gets the loops of one function while it is printed. Expressions within the instructions are only valid during the
// call.
using UseLoops = std::function<void(std::vector<MachineLoopCode> loops, const llvm::MCSubtargetInfo &)>;

// Replaces LLVM's printer, the last pass of code generation, by one that writes an object file and passes its loops to
// `use`.
llvm::Pass *recordLoops(llvm::Pass *printer, llvm::TargetMachine &target, llvm::raw_pwrite_stream &object,
                        UseLoops use);

} // namespace lanecl::vectorizer
