// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/extension_info.h"

#include "api/recent_names.h"
#include "frontend/spirv.h"
#include "icd/capabilities.h"
#include "settings/made_once.h"

namespace lanecl::icd {

std::optional<cl_int> commandBufferInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_khr_command_buffer"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:
    return info.value<cl_device_command_buffer_capabilities_khr>(CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                                                                 CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR);
  case CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: return info.value<cl_command_queue_properties>(0);
  case CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR:
    return info.value<cl_command_queue_properties>(kCommandBufferQueueProperties);
  case CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR: return info.value<cl_mutable_dispatch_fields_khr>(kUpdatableFields);
  default: return std::nullopt;
  }
}

std::optional<cl_int> spirvInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_khr_spirv_queries"))
    return std::nullopt;
  static constinit MadeOnce<frontend::SpirvOffer> made;
  const frontend::SpirvOffer &offer = made.get([] { return frontend::spirvOffer(languageTraits({})); });
  switch (name) {
  case CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR: return info.list<const char *>(offer.instruction_sets);
  case CL_DEVICE_SPIRV_EXTENSIONS_KHR: return info.list<const char *>(offer.extensions);
  case CL_DEVICE_SPIRV_CAPABILITIES_KHR: return info.list<cl_uint>(offer.capabilities);
  default: return std::nullopt;
  }
}

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
