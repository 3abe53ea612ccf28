// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <CL/cl.h>

namespace lanecl::icd {

const char *nameOfCommand(cl_command_type type); // of the function that enqueues it

} // namespace lanecl::icd
