// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals check mode which API calls fail. Nothing here depends on check mode, which registers itself.
#pragma once

#include <CL/cl.h>

namespace lanecl::icd {

struct FailedCall {
  const char *function;
  cl_int code;
  cl_uint asked; // the param_name of a query; 0: not a query
};

// Registers `report`, which is called for each failed call from now on, in the thread that makes the call.
void onFailure(void (*report)(const FailedCall &call) noexcept);
// Calls the registered function, if there is one.
void noteFailure(const FailedCall &call) noexcept;

} // namespace lanecl::icd
