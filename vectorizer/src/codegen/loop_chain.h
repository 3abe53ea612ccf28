// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the dependency chain that leads from iteration to iteration of a loop. No processor can run the loop faster
// than this chain, however many instructions it executes at once.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MCA/Instruction.h"

#include <memory>
#include <vector>

namespace lanecl::vectorizer {

struct LoopChain {
  double cycles = 0;                // of one iteration
  std::vector<size_t> instructions; // indices in the loop, in the order of the code; empty: iterations are independent
};

// Returns the chain through registers. Dependencies through memory are not followed.
LoopChain chainOf(llvm::ArrayRef<std::unique_ptr<llvm::mca::Instruction>> loop, const llvm::MCSubtargetInfo &processor,
                  const llvm::MCRegisterInfo &registers);

} // namespace lanecl::vectorizer
