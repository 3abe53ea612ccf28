// What the module says about its kernels.
#pragma once

#include "frontend/frontend.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

std::vector<KernelInfo> readKernels(const llvm::Module &program);

} // namespace lanecl::frontend
