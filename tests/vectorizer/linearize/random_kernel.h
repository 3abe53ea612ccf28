// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random integer kernels whose flow is structured (nests of branches and loops with break, continue, early return,
// switch, goto) or not at all (blocks that branch anywhere). They end, trap on no path, and store only to the lane's
// own memory, so that running the lanes one by one gives the expected answer.
#pragma once

#include "llvm/IR/Module.h"

#include <cstdint>
#include <memory>

namespace lanecl::vectorizer::test {

// i32 @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %a, i32 %b), with its variables in allocas.
std::unique_ptr<llvm::Module> randomKernel(llvm::LLVMContext &context, uint64_t seed);

} // namespace lanecl::vectorizer::test
