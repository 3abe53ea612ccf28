// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints kernels as OpenCL C.
#pragma once

#include "language/kernel.h"

#include <map>
#include <set>

namespace lanecl::fuzz {

struct Text {
  std::string source;
  std::string options;                      // -D options for constants known when the program is built
  std::map<const Stmt *, unsigned> lines{}; // the line on which each statement starts
};

// Prints several kernels as one program. If the constants are known when the program is built, the kernels take no
// parameters, see Kernel::parameters.
Text print(const std::vector<const Kernel *> &kernels, bool constants_at_build);

// Whether the kernel has an argument for that memory object.
bool isArgument(const MemoryObject &object);

} // namespace lanecl::fuzz
