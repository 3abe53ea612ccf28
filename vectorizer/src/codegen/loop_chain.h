// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The chain of results, each needed for the next one, that leads from turn to turn of a loop: no processor can run the
// loop faster, however many instructions it executes at once.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MCA/Instruction.h"

#include <memory>
#include <vector>

namespace lanecl::vectorizer {

struct LoopChain {
  double cycles = 0;                // of a turn
  std::vector<size_t> instructions; // by their numbers in the loop, in the code's order; empty: turns are independent
};

// Of registers; what goes through memory is not followed.
LoopChain chainOf(llvm::ArrayRef<std::unique_ptr<llvm::mca::Instruction>> loop, const llvm::MCSubtargetInfo &processor,
                  const llvm::MCRegisterInfo &registers);

} // namespace lanecl::vectorizer
