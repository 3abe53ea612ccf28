// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names of commands for reports.
#pragma once

#include <CL/cl.h>

namespace lanecl::icd {

// Returns the name of the API function that enqueues commands of this type, or "a command" for types not known here.
const char *nameOfCommand(cl_command_type type);

} // namespace lanecl::icd
