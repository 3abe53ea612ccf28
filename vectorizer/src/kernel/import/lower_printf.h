// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lower-printf`: calls of printf pack their arguments into private memory and become calls of the printf primitive.
// The layout is described in vectorizer/contract/abi.h, Services::printf:
//
//   printf(format, 1, x)     ──>     store the tag of int, 1, the tag of float, x in %buffer
//                                    __lanecl_printf(format, %buffer, 32)
//
// Runs before LLVM treats printf as the function of the C library, whose arguments and result differ.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerPrintfPass : public RequiredPass<LowerPrintfPass> {
public:
  explicit LowerPrintfPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
