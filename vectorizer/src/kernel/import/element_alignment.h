// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `element-alignment`: lowers the alignment that accesses and pointers promise to that of their elements. OpenCL C
// requires a float4 at a multiple of 16 bytes, but GPUs accept one at a multiple of 4, and programs rely on that. So
// the only alignment that the compiler may conclude from a program's types is that of their elements:
//
//   store <4 x float> %v, ptr %p, align 16              store <4 x float> %v, ptr %p, align 4
//   memcpy(ptr align 16 %p, …)                      ──> memcpy(ptr align 4 %p, …)
//   define void @f(ptr align 16 %p)                     define void @f(ptr %p)
//
// Private and local variables, program scope variables and a kernel's arguments keep their own alignment; LLVM raises
// the alignment of an access again if it sees one of them. Atomic operations keep their alignment, because they would
// not be atomic without it.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ElementAlignmentPass : public RequiredPass<ElementAlignmentPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
