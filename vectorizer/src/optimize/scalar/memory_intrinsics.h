// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `memory-intrinsics`: memcpy, memmove and memset become loads and stores of elements, because `widen` has a vector
// form for these only:
//
//   call void @llvm.memset(ptr %p, i8 0, i64 8)     ──>     store i32 0, ptr %p
//                                                           store i32 0, ptr %p + 4
//
// Short ones are unrolled, others become a loop. Elements of a private variable keep their size, so that the variable
// can still be laid out lane-innermost (analysis/shapes/private_layout.h).
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MemoryIntrinsicsPass : public RequiredPass<MemoryIntrinsicsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
