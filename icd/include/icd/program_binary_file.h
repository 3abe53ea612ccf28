// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes program binaries for tools, which have no cl_program.
#pragma once

#include "frontend/frontend.h"

#include <string>

namespace lanecl::icd {

// Returns a binary that clCreateProgramWithBinary accepts, in the format of CL_PROGRAM_BINARIES. `text` is the source
// that the module was compiled from and `name` its file name in the debug information; if `text` is empty the binary
// contains no source.
std::string programBinary(const frontend::Module &module, const std::string &name, const std::string &text);

} // namespace lanecl::icd
