// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the descriptions of kernels from a module.
#pragma once

#include "frontend/frontend.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Returns the program's kernels in source order, without the generated ones.
std::vector<KernelInfo> readKernels(const llvm::Module &program);

} // namespace lanecl::frontend
