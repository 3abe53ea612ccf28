// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The specification's names of OpenCL's error codes, for reports.
#pragma once

#include <CL/cl.h>

#include <string>

namespace lanecl::icd {

// Returns the name of the code, such as "CL_INVALID_VALUE", or its number if it is not known here.
std::string errorName(cl_int code);

} // namespace lanecl::icd
