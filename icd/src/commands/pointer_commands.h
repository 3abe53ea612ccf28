// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copying and filling memory by its address. All of the host's memory is the device's, so any pointer is valid.
#pragma once

#include "check/host_reads.h"
#include "commands/command.h"

namespace lanecl::icd {

cl_int copyPointers(const Destination &to, cl_command_type type, cl_bool blocking, void *target, const void *source,
                    size_t size);
cl_int fillPointer(const Destination &to, cl_command_type type, void *target, const void *pattern, size_t pattern_size,
                   size_t size);

// Of a command that hands the host what is in the allocation that the pointer points into.
HostRead hostReadOf(Context &context, cl_command_type type, const void *pointer);

} // namespace lanecl::icd
