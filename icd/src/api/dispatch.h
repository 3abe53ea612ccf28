// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table through which the ICD loader calls the entry points. entry_points.def lists them.
#pragma once

#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

namespace lanecl::icd {

#ifdef CL_VERSION_3_1
using Dispatch = cl_icd_dispatch;
#else
// OpenCL 3.1 has appended a member to the table. Older loaders do not look past the end of the table that they know.
struct Dispatch : cl_icd_dispatch {
  clGetKernelSuggestedLocalWorkSizeKHR_fn clGetKernelSuggestedLocalWorkSize;
};
#endif

extern const Dispatch kDispatch;

// Returns the core or extension function of that name, for clGetExtensionFunctionAddressForPlatform, or null if there
// is none or the device lacks its extension.
void *functionByName(const char *name);

} // namespace lanecl::icd
