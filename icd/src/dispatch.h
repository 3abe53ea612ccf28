// The table the ICD loader calls through.
#pragma once

// Every version's functions are part of the table, the deprecated ones too.
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>

namespace lanecl::icd {

extern const cl_icd_dispatch kDispatch;

// The function of that name, core or extension; null when there is none.
void *functionByName(const char *name);

} // namespace lanecl::icd
