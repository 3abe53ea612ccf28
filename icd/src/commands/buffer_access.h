// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks that all commands on buffers share.
#pragma once

#include "api/recent_names.h"
#include "commands/command.h"
#include "memory/memory_object.h"

namespace lanecl::icd {

// Checks a queue and one buffer that a command uses: CL_INVALID_COMMAND_QUEUE, CL_INVALID_MEM_OBJECT or
// CL_INVALID_CONTEXT.
inline cl_int checkQueueAndBuffer(cl_command_queue queue, cl_mem buffer) {
  if (cl_int code = validate(queue, buffer))
    return code;
  // CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object.
  if (objectOf(buffer).type() != CL_MEM_OBJECT_BUFFER)
    return CL_INVALID_MEM_OBJECT;
  // CL_INVALID_CONTEXT if the context associated with command_queue and buffer are not the same.
  return &objectOf(queue).context() == &objectOf(buffer).context() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

enum class HostAccess { Read, Write };

// CL_INVALID_OPERATION if the target of a copy or a fill was created with CL_MEM_IMMUTABLE_EXT.
inline cl_int checkMutable(const Memory &target) {
  return (target.flags() & CL_MEM_IMMUTABLE_EXT) != 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
}

// CL_INVALID_OPERATION if a read is called on a buffer created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS,
// or a write on one created with CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS or CL_MEM_IMMUTABLE_EXT.
inline cl_int checkHostAccess(const Memory &buffer, HostAccess access) {
  const cl_mem_flags other =
      access == HostAccess::Read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY | CL_MEM_IMMUTABLE_EXT;
  return (buffer.flags() & (other | CL_MEM_HOST_NO_ACCESS)) != 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
}

} // namespace lanecl::icd
