// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels as OpenCL C.
#pragma once

#include "language/kernel.h"

#include <map>
#include <set>

namespace lanecl::fuzz {

struct Text {
  std::string source;
  std::string options;                      // -D options of constants known at the build
  std::map<const Stmt *, unsigned> lines{}; // on which each statement begins
};

// Several kernels as one program. Where constants are known at the build, kernels take no parameters: see
// Kernel::parameters.
Text print(const std::vector<const Kernel *> &kernels, bool constants_at_build);

// Whether the kernel has an argument for that memory object.
bool isArgument(const MemoryObject &object);

} // namespace lanecl::fuzz
