// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies and fills memory by its address. All of the host's memory is the device's, so any pointer is valid.
#pragma once

#include "check/host/host_reads.h"
#include "commands/command.h"

namespace lanecl::icd {

// Each function makes the checks of the SVM or USM command `type` and returns its errors. Pointers may be NULL only
// where that command allows it.
cl_int copyPointers(const Destination &to, cl_command_type type, cl_bool blocking, void *target, const void *source,
                    size_t size);
cl_int fillPointer(const Destination &to, cl_command_type type, void *target, const void *pattern, size_t pattern_size,
                   size_t size);

// Returns the check of a command that hands the host the contents of the allocation that `pointer` points into: check
// mode reports a read of uninitialized bytes. Returns an empty check outside check mode and for other memory.
HostRead hostReadOf(Context &context, cl_command_type type, const void *pointer);

} // namespace lanecl::icd
