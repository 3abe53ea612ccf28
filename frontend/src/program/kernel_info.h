// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the kernels' descriptions from a module.
#pragma once

#include "frontend/frontend.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

std::vector<KernelInfo> readKernels(const llvm::Module &program);

} // namespace lanecl::frontend
