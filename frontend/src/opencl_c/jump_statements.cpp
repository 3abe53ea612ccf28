// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/jump_statements.h"

#include "vectorizer/contract/jump_metadata.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::frontend {

void markJumps(llvm::Module &module, const SourcePositions &jumps) {
  llvm::MDNode *yes = llvm::MDNode::get(module.getContext(), {});
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
      const llvm::DebugLoc &location = instruction.getDebugLoc();
      if (branch && branch->isUnconditional() && location && jumps.contains({location.getLine(), location.getCol()}))
        instruction.setMetadata(vectorizer::kJumpStatement, yes);
    }
}

} // namespace lanecl::frontend
