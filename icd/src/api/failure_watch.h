// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What check mode wants to know of calls that fail.
#pragma once

#include <CL/cl.h>

namespace lanecl::icd {

struct FailedCall {
  const char *function;
  cl_int code;
  cl_uint asked; // what a query asks for, its param_name; 0: no query
};

// Called for each one from now on, in the thread that makes it.
void onFailure(void (*report)(const FailedCall &call) noexcept);
void noteFailure(const FailedCall &call) noexcept;

} // namespace lanecl::icd
