// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `image-handles`: replaces SPIR-V's opaque types. Images and pipes become pointers to their structs
// (vectorizer/contract/image.h, pipe.h); samplers, reservations and events become numbers:
//
//   target("spirv.Image", …) %image     ──>     ptr addrspace(2) %image
//   target("spirv.Sampler") %sampler    ──>     i64 %sampler
//
// Runs after inlining, when the built-in functions that take such types are part of the kernel.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ImageHandlesPass : public RequiredPass<ImageHandlesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
