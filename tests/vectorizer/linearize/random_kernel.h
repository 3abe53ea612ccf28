// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes random integer kernels. Their control flow is either structured (nested branches and loops with break,
// continue, early return, switch and goto) or arbitrary (blocks that branch anywhere). A kernel always ends and never
// traps, and a lane stores only to memory of its own. Running the lanes one by one therefore gives the expected answer.
#pragma once

#include "llvm/IR/Module.h"

#include <cstdint>
#include <memory>

namespace lanecl::vectorizer::test {

// Returns a module with i32 @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %a, i32 %b), whose variables are
// allocas. The same seed gives the same kernel.
std::unique_ptr<llvm::Module> randomKernel(llvm::LLVMContext &context, uint64_t seed);

} // namespace lanecl::vectorizer::test
