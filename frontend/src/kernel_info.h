// What the module says about its kernels.
#pragma once

#include "frontend/frontend.h"

namespace lanecl::frontend {

std::vector<KernelInfo> readKernels(const Module &module, std::string &error);

} // namespace lanecl::frontend
