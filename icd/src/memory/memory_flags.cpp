// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks cl_mem_flags.

#include "memory/memory_flags.h"

#include "icd/capabilities.h"

#include <bit>

namespace lanecl::icd {

// Flags that immutable memory objects must not have.
static constexpr cl_mem_flags kWritten = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
// Flags of cl_intel_planar_yuv.
static constexpr cl_mem_flags kPlanar = CL_MEM_NO_ACCESS_INTEL | CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL;

cl_int checkFlags(cl_mem_flags flags) {
  const bool is_immutable = (flags & CL_MEM_IMMUTABLE_EXT) != 0;
  if ((flags & ~(kKernelAccess | kHostAccess | kHostPointer | CL_MEM_IMMUTABLE_EXT | kPlanar)) != 0)
    return CL_INVALID_VALUE;
  if ((flags & kPlanar) != 0 && !hasExtension("cl_intel_planar_yuv"))
    return CL_INVALID_VALUE;
  if (is_immutable && ((flags & kWritten) != 0 || !hasExtension("cl_ext_immutable_memory_objects")))
    return CL_INVALID_VALUE;
  if (std::popcount(flags & kKernelAccess) > 1 || std::popcount(flags & kHostAccess) > 1)
    return CL_INVALID_VALUE;
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_int checkContent(cl_mem_flags flags) {
  const bool has_content = (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0;
  return (flags & CL_MEM_IMMUTABLE_EXT) != 0 && !has_content ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int checkDerivedFlags(cl_mem_flags parent, cl_mem_flags flags) {
  if (cl_int code = checkFlags(flags))
    return code;
  // CL_INVALID_VALUE if flags specifies CL_MEM_USE_HOST_PTR or CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR.
  if ((flags & kHostPointer) != 0)
    return CL_INVALID_VALUE;
  const auto forbids = [&](cl_mem_flags of_parent, cl_mem_flags in_flags) {
    return (parent & of_parent) != 0 && (flags & in_flags) != 0;
  };
  // CL_INVALID_VALUE if buffer was created with CL_MEM_IMMUTABLE_EXT and flags specifies CL_MEM_READ_WRITE,
  // CL_MEM_WRITE_ONLY, or CL_MEM_HOST_WRITE_ONLY.
  if (forbids(CL_MEM_IMMUTABLE_EXT, kWritten))
    return CL_INVALID_VALUE;
  // The other restrictions do not apply if mem_object was created with CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL.
  if ((parent & CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL) != 0)
    return CL_SUCCESS;
  // CL_INVALID_VALUE if buffer was created with CL_MEM_WRITE_ONLY and flags specifies CL_MEM_READ_WRITE or
  // CL_MEM_READ_ONLY, or with CL_MEM_READ_ONLY and flags specifies CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY, or with
  // CL_MEM_NO_ACCESS_INTEL and flags specifies any of these, or with CL_MEM_HOST_WRITE_ONLY and flags specify
  // CL_MEM_HOST_READ_ONLY, or with CL_MEM_HOST_READ_ONLY and flags specify CL_MEM_HOST_WRITE_ONLY, or with
  // CL_MEM_HOST_NO_ACCESS and flags specify either of these.
  if (forbids(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY) ||
      forbids(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY) ||
      forbids(CL_MEM_NO_ACCESS_INTEL, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY) ||
      forbids(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY) ||
      forbids(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY) ||
      forbids(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_mem_flags inheritFlags(cl_mem_flags parent, cl_mem_flags flags) {
  if ((flags & kKernelAccess) == 0)
    flags |= parent & kKernelAccess;
  if ((flags & kHostAccess) == 0 && (parent & CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL) == 0)
    flags |= parent & kHostAccess;
  return flags | (parent & (kHostPointer | CL_MEM_IMMUTABLE_EXT));
}

} // namespace lanecl::icd
