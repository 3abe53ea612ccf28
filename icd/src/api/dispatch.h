// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table the ICD loader calls through.
#pragma once

#include <CL/cl_icd.h>

namespace lanecl::icd {

extern const cl_icd_dispatch kDispatch;

// The function of that name, core or extension; null when there is none.
void *functionByName(const char *name);

} // namespace lanecl::icd
