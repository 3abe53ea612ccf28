// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Moves loop-invariant code in front of loops: a part of both optimization pipelines.
#pragma once

#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"

namespace lanecl::vectorizer {

inline llvm::FunctionToLoopPassAdaptor hoisting() {
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  return llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true);
}

} // namespace lanecl::vectorizer
