// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Codes of OpenCL as the specification names them.
#pragma once

#include <CL/cl.h>

#include <string>

namespace lanecl::icd {

std::string errorName(cl_int code); // "CL_INVALID_VALUE"; of one that has no name "-1234"

} // namespace lanecl::icd
