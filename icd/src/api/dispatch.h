// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table the ICD loader calls through.
#pragma once

#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

namespace lanecl::icd {

#ifdef CL_VERSION_3_1
using Dispatch = cl_icd_dispatch;
#else
// The table has grown; loaders that are older than OpenCL 3.1 do not look behind theirs.
struct Dispatch : cl_icd_dispatch {
  clGetKernelSuggestedLocalWorkSizeKHR_fn clGetKernelSuggestedLocalWorkSize;
};
#endif

extern const Dispatch kDispatch;

// The function of that name, core or extension; null when there is none.
void *functionByName(const char *name);

} // namespace lanecl::icd
