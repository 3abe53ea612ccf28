// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images and pipes become pointers to their structs (vectorizer/contract/image.h, pipe.h), samplers, reservations
// and events become numbers; no opaque types of SPIR-V remain. To be run after inlining, when only the kernel has
// arguments of these types.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ImageHandlesPass : public llvm::PassInfoMixin<ImageHandlesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
