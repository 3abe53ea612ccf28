// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program binaries for tools, which have no cl_program.
#pragma once

#include "frontend/frontend.h"

#include <string>

namespace lanecl::icd {

// What clCreateProgramWithBinary takes, and CL_PROGRAM_BINARIES would be. `text`: that the module was compiled from,
// under this name in its debug information; empty: the binary has none.
std::string programBinary(const frontend::Module &module, const std::string &name, const std::string &text);

} // namespace lanecl::icd
