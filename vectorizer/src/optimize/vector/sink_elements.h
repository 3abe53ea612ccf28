// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `sink-elements`: computations done lane by lane take each lane's element right before its use.
//
//   %a = extractelement %v, 0                %a = extractelement %v, 0
//   %b = extractelement %v, 1       ──>      use(%a)
//   use(%a), use(%b)                         %b = extractelement %v, 1, use(%b)
//
// A vector that is taken apart occupies one register or a few words; its elements occupy one register each. LLVM takes
// all elements where the vector is loaded or computed, instruction selection keeps that order, and the register
// allocator spills what does not fit. Only instructions without side effects are moved, and only within their block.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SinkElementsPass : public llvm::PassInfoMixin<SinkElementsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
