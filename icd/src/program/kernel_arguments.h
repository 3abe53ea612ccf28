// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sets arguments and execution information of a kernel, with all checks that the specification demands of
// clSetKernelArg, clSetKernelArgSVMPointer and clSetKernelExecInfo. A function that returns an error leaves the kernel
// unchanged.
#pragma once

#include "program/kernel.h"

namespace lanecl::icd {

cl_int setArgument(cl_kernel kernel, cl_uint index, size_t size, const void *value);
cl_int setSvmPointer(cl_kernel kernel, cl_uint index, const void *pointer);
cl_int setExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value);

} // namespace lanecl::icd
