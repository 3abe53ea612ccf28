// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `named-barriers`: gives named barriers their memory. Each call of __lanecl_named_barrier_memory() that is left when
// everything is inlined becomes the address of a local variable:
//
//   %b = call ptr @__lanecl_named_barrier_memory(i64 bytes)     ──>     %b = @named.barrier + turn % most * bytes
//
// A call in a loop makes a new barrier in each turn, while the program may still use earlier ones, so it has several
// places, which it uses in turn. A call outside loops has one.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class NamedBarriersPass : public RequiredPass<NamedBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
