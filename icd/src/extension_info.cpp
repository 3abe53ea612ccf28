#include "extension_info.h"

#include "icd/capabilities.h"

#include <CL/cl_ext.h>

namespace lanecl::icd {

std::optional<cl_int> unifiedSharedMemoryInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_intel_unified_shared_memory"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
    // One memory with coherent caches for host and kernels, and atomics are the processor's own in both.
    return info.value<cl_device_unified_shared_memory_capabilities_intel>(
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL);
  default: return std::nullopt;
  }
}

} // namespace lanecl::icd
