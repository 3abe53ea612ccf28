// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The types of shared virtual memory of cl_khr_unified_svm, which are the same for the platform and for each device.
// All types are the host's memory, which every device shares. A use that a type does not promise works nonetheless,
// except for mapping, but check mode reports it.
#pragma once

#include "api/recent_names.h"

namespace lanecl::icd {

// The indices of the types, in the order of kSvmTypes.
enum SvmType : cl_uint { kDeviceSvm, kHostSvm, kSharedSvm, kCoarseSvm, kFineSvm, kSystemSvm };

inline constexpr cl_svm_capabilities_khr kConcurrentSvm =
    CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR | CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR;

// Kernels can access every type, also through pointers that they load from memory.
inline constexpr cl_svm_capabilities_khr kKernelsAccessSvm =
    CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR |
    CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR |
    CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
inline constexpr cl_svm_capabilities_khr kHostAccessesSvm =
    CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR;

// The capabilities of each type, indexed by SvmType. clGetSVMSuggestedTypeIndexKHR suggests the first type that fits.
inline constexpr cl_svm_capabilities_khr kSvmTypes[] = {
    kKernelsAccessSvm | kConcurrentSvm | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR,
    kKernelsAccessSvm | kConcurrentSvm | kHostAccessesSvm | CL_SVM_CAPABILITY_HOST_OWNED_KHR |
        CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
    // Shared memory belongs to the device that the program names, or to none.
    kKernelsAccessSvm | kConcurrentSvm | kHostAccessesSvm | CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
    kKernelsAccessSvm | CL_SVM_CAPABILITY_HOST_MAP_KHR | CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
    kKernelsAccessSvm | kConcurrentSvm | kHostAccessesSvm | CL_SVM_CAPABILITY_HOST_MAP_KHR |
        CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
    kKernelsAccessSvm | kConcurrentSvm | kHostAccessesSvm | CL_SVM_CAPABILITY_HOST_MAP_KHR |
        CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR,
};

// CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR in bytes: host and kernels may access adjacent bytes concurrently.
inline constexpr size_t kSvmAtomBytes = 1;

} // namespace lanecl::icd
