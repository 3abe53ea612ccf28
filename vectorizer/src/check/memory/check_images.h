// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-images`: image reads and writes report coordinates outside the image (OpenCL C 3.0, section 6.15.15):
//
//                                      %outside = icmp uge i32 %x, %width
//   write_imagef(%i, %x, %v)    ──>    br %outside, report, call
//                                      write_imagef(%i, %x, %v)
//
// Reads with a sampler are checked only for CLK_ADDRESS_NONE, because all other addressing modes define the result.
// The pass only inserts reports, so it cannot change the kernel's results. It runs before the functions are inlined,
// while their names say what they do.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckImagesPass : public RequiredPass<CheckImagesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
