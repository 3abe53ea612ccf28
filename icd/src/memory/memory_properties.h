// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the properties of clCreateBufferWithProperties and clCreateImageWithProperties.
#pragma once

#include "api/result.h"
#include "context/context.h"
#include "memory/external_memory.h"

#include <optional>
#include <vector>

namespace lanecl::icd {

// The properties that a program gave.
struct MemoryProperties {
  std::vector<cl_mem_properties> list; // as CL_MEM_PROPERTIES returns it, with the terminating zero
  std::optional<bool> device_address;  // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
  std::optional<ExternalMemory::Handle> external;
};

// Reads a list of properties, which may be null. CL_INVALID_PROPERTY if a property name is not a supported property
// name, if the value specified for a supported one is not valid, or if a name is specified more than once.
// CL_INVALID_DEVICE if a device of CL_MEM_DEVICE_HANDLE_LIST_KHR is not valid or not associated with the context.
Result<MemoryProperties> readProperties(const Context &context, const cl_mem_properties *properties);

// Checks the arguments for an object in external memory. CL_INVALID_VALUE if flags includes CL_MEM_USE_HOST_PTR,
// CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR, CL_INVALID_HOST_PTR if host_ptr is not NULL.
cl_int checkExternal(cl_mem_flags flags, const void *host_pointer);

} // namespace lanecl::icd
