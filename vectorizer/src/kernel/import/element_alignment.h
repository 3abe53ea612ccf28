// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL C asks that a float4 lies at a multiple of 16 bytes. GPUs compute one that lies at a multiple of 4, and
// programs rely on that, so the only alignment that the compiler may conclude from a program's types is that of their
// elements. The pass lowers what accesses and pointers promise:
//
//   store <4 x float> %v, ptr %p, align 16              store <4 x float> %v, ptr %p, align 4
//   memcpy(ptr align 16 %p, …)                      ->  memcpy(ptr align 4 %p, …)
//   define void @f(ptr align 16 %p)                     define void @f(ptr %p)
//
// Private and local variables, program scope variables and a kernel's arguments keep their own alignment: LLVM raises
// that of an access where it sees one of them. Atomic operations keep theirs, without which they would not be atomic.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ElementAlignmentPass : public llvm::PassInfoMixin<ElementAlignmentPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
