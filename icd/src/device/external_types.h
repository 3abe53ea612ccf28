// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The types of semaphores that the platform and each device have, and the types of handles with which they import and
// export external memory and semaphores.
#pragma once

#include "api/recent_names.h"

namespace lanecl::icd {

inline constexpr cl_external_memory_handle_type_khr kExternalMemoryTypes[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR};
inline constexpr cl_semaphore_type_khr kSemaphoreTypes[] = {CL_SEMAPHORE_TYPE_BINARY_KHR};
inline constexpr cl_external_semaphore_handle_type_khr kExternalSemaphoreTypes[] = {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR};

} // namespace lanecl::icd
