// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rules of cl_mem_flags that buffers, sub-buffers and images share.
#pragma once

#include "api/recent_names.h"

namespace lanecl::icd {

inline constexpr cl_mem_flags kKernelAccess =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_NO_ACCESS_INTEL;
// The flags that the formats of an image depend on. Formats whose elements share chroma are not offered for immutable
// images: programs that ask for formats of immutable images have no reason to know such elements.
inline constexpr cl_mem_flags kFormatUse = kKernelAccess | CL_MEM_IMMUTABLE_EXT;
inline constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

// CL_INVALID_VALUE for unknown flags, and for flags that exclude each other.
cl_int checkFlags(cl_mem_flags flags);

// CL_INVALID_VALUE if CL_MEM_IMMUTABLE_EXT is set in the flags of an object with memory of its own, and neither
// CL_MEM_COPY_HOST_PTR nor CL_MEM_USE_HOST_PTR is set. Nothing could ever write such an object.
cl_int checkContent(cl_mem_flags flags);

// CL_INVALID_VALUE for flags that an object must not have if it is made from another object with the flags `parent`.
cl_int checkDerivedFlags(cl_mem_flags parent, cl_mem_flags flags);

// Returns the flags of an object that is made from another one, with those that it inherits.
//
// From an object with CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL it inherits no host access. That flag allows any host
// access, and there is no flag for both reading and writing that would express this.
cl_mem_flags inheritFlags(cl_mem_flags parent, cl_mem_flags flags);

// Adds the default kernel access: CL_MEM_READ_WRITE, or CL_MEM_READ_ONLY for immutable objects.
inline cl_mem_flags withDefaultAccess(cl_mem_flags flags) {
  if ((flags & kKernelAccess) != 0)
    return flags;
  return flags | ((flags & CL_MEM_IMMUTABLE_EXT) != 0 ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE);
}

// CL_INVALID_HOST_PTR if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags, or if
// host_ptr is not NULL but neither is set.
inline cl_int checkHostPointer(cl_mem_flags flags, const void *host_pointer) {
  const bool takes_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  return takes_pointer == (host_pointer != nullptr) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

} // namespace lanecl::icd
