// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Moves loop-invariant code out of loops; both optimization pipelines contain this step.
#pragma once

#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"

namespace lanecl::vectorizer {

// Rotates loops, so that they have a block that runs once before the body, and hoists invariant code into it.
inline llvm::FunctionToLoopPassAdaptor hoisting() {
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  return llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true);
}

} // namespace lanecl::vectorizer
