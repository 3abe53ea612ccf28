// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The answers of clGetDeviceInfo about command buffers, SPIR-V, unified memory, external objects and GPUs' attributes.
#include "device/extension_info.h"

#include "api/recent_names.h"
#include "device/external_types.h"
#include "device/svm_types.h"
#include "frontend/spirv.h"
#include "icd/capabilities.h"
#include "icd/profile.h"
#include "settings/made_once.h"
#include "vectorizer/contract/named_barriers.h"

namespace lanecl::icd {

std::optional<cl_int> commandBufferInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_khr_command_buffer"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:
    return info.value<cl_device_command_buffer_capabilities_khr>(CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                                                                 CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
                                                                 CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR);
  case CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: return info.value<cl_command_queue_properties>(0);
  case CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR:
    return info.value<cl_command_queue_properties>(kCommandBufferQueueProperties);
  case CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR: return info.value<cl_mutable_dispatch_fields_khr>(kUpdatableFields);
  // A command buffer can synchronize with all devices, whose threads hand over to each other. There are only the root
  // and its sub-devices, and the root stands for these, too.
  case CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR: return info.value<cl_uint>(1);
  case CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR: return info.value<cl_device_id>(Device::root().handle());
  default: return std::nullopt;
  }
}

std::optional<cl_int> spirvInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (name == CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR && hasExtension("cl_khr_subgroup_named_barrier"))
    return info.value<cl_uint>(vectorizer::kMostNamedBarriers);
  if (!hasExtension("cl_khr_spirv_queries"))
    return std::nullopt;
  static constinit MadeOnce<frontend::SpirvOffer> made;
  const frontend::SpirvOffer &offer =
      made.get([] { return frontend::spirvOffer(languageTraits({}), deviceProfile().spirv); });
  switch (name) {
  case CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS: return info.list<const char *>(offer.instruction_sets);
  case CL_DEVICE_SPIRV_EXTENSIONS: return info.list<const char *>(offer.extensions);
  case CL_DEVICE_SPIRV_CAPABILITIES: return info.list<cl_uint>(offer.capabilities);
  default: return std::nullopt;
  }
}

std::optional<cl_int> unifiedSharedMemoryInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_intel_unified_shared_memory"))
    return std::nullopt;
  using Capabilities = cl_device_unified_shared_memory_capabilities_intel;
  // The processor's own profile supports everything: host and kernels share one memory with coherent caches, and both
  // use the processor's atomic instructions.
  const UsmCapabilities &usm = deviceProfile().usm;
  switch (name) {
  case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL: return info.value<Capabilities>(usm.host);
  case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL: return info.value<Capabilities>(usm.device);
  case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: return info.value<Capabilities>(usm.single_shared);
  case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: return info.value<Capabilities>(usm.cross_shared);
  case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL: return info.value<Capabilities>(usm.system_shared);
  default: return std::nullopt;
  }
}

std::optional<cl_int> unifiedSvmInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_khr_unified_svm"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR: return info.list<cl_svm_capabilities_khr>(kSvmTypes);
  case CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR: return info.value<size_t>(kSvmAtomBytes);
  default: return std::nullopt;
  }
}

std::optional<cl_int> externalMemoryInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_khr_external_memory"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
  case CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR:
    return info.list<cl_external_memory_handle_type_khr>(kExternalMemoryTypes);
  default: return std::nullopt;
  }
}

std::optional<cl_int> semaphoreInfo(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_khr_external_semaphore"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_SEMAPHORE_TYPES_KHR: return info.list<cl_semaphore_type_khr>(kSemaphoreTypes);
  case CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
  case CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
    return info.list<cl_external_semaphore_handle_type_khr>(kExternalSemaphoreTypes);
  default: return std::nullopt;
  }
}

std::optional<cl_int> gpuAttributes(Device &, cl_device_info name, const InfoWriter &info) {
  const GpuAttributes &gpu = deviceProfile().gpu;
  if (name == CL_DEVICE_PCI_BUS_INFO_KHR && hasExtension("cl_khr_pci_bus_info"))
    return info.value<cl_device_pci_bus_info_khr>({gpu.pci_domain, gpu.pci_bus, gpu.pci_device, gpu.pci_function});
  if (!hasExtension("cl_intel_device_attribute_query"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_IP_VERSION_INTEL: return info.value<cl_version>(gpu.ip_version);
  case CL_DEVICE_ID_INTEL: return info.value<cl_uint>(gpu.device_id);
  case CL_DEVICE_NUM_SLICES_INTEL: return info.value<cl_uint>(gpu.slices);
  case CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL: return info.value<cl_uint>(gpu.sub_slices_per_slice);
  case CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL: return info.value<cl_uint>(gpu.eus_per_sub_slice);
  case CL_DEVICE_NUM_THREADS_PER_EU_INTEL: return info.value<cl_uint>(gpu.threads_per_eu);
  case CL_DEVICE_FEATURE_CAPABILITIES_INTEL:
    return info.value<cl_device_feature_capabilities_intel>((gpu.has_dp4a ? CL_DEVICE_FEATURE_FLAG_DP4A_INTEL : 0) |
                                                            (gpu.has_dpas ? CL_DEVICE_FEATURE_FLAG_DPAS_INTEL : 0));
  default: return std::nullopt;
  }
}

} // namespace lanecl::icd
