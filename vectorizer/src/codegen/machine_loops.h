// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The innermost loops of a kernel in machine code, recorded while it is written.
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

// A place in the kernel's source; line 0: none.
struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0;
  bool operator==(const SourcePlace &) const = default;
};
SourcePlace sourcePlace(const llvm::DebugLoc &location);

struct LoopInstruction {
  llvm::MCInst code;
  SourcePlace place;
  uint64_t spill_bytes = 0; // stored to, or loaded from, slots of spilled registers
};

struct MachineLoopCode {
  SourcePlace place;
  std::vector<LoopInstruction> instructions; // in the order of the code, without sides of branches that run seldom
  bool calls = false;                        // functions
  double turns = 0;                          // estimated, of one call of the function
};

// Given the loops of one function while it is printed. Expressions in the instructions do not live longer.
using UseLoops = std::function<void(std::vector<MachineLoopCode> loops, const llvm::MCSubtargetInfo &)>;

// Replaces a printer, the last pass of code generation, by one that writes an object file and tells of its loops.
llvm::Pass *recordLoops(llvm::Pass *printer, llvm::TargetMachine &target, llvm::raw_pwrite_stream &object,
                        UseLoops use);

} // namespace lanecl::vectorizer
