// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads lists of memory properties.

#include "memory/memory_properties.h"

#include "icd/capabilities.h"
#include "memory/memory_flags.h"

#include <algorithm>
#include <climits>

namespace lanecl::icd {
namespace {

// Reads a list one property after the other. `next` points to the next property.
class Reader {
public:
  Reader(const Context &context, const cl_mem_properties *properties) : context(context), next(properties) {}

  Result<MemoryProperties> run() {
    if (!next)
      return MemoryProperties();
    const cl_mem_properties *const begin = next;
    while (*next != 0)
      if (cl_int code = readOne())
        return Error{code};
    // CL_INVALID_PROPERTY if properties does not include a supported external memory handle and
    // CL_MEM_DEVICE_HANDLE_LIST_KHR is specified.
    if (devices && !descriptor)
      return Error{CL_INVALID_PROPERTY};
    if (descriptor)
      result.external = {*descriptor, devices.value_or(std::vector<cl_device_id>())};
    result.list.assign(begin, next + 1);
    return std::move(result);
  }

private:
  cl_int readOne() {
    switch (*next++) {
    case CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT: return readAddress(*next++);
    case CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR: return readDescriptor(*next++);
    case CL_MEM_DEVICE_HANDLE_LIST_KHR: return readDevices();
    default: return CL_INVALID_PROPERTY;
    }
  }

  cl_int readAddress(cl_mem_properties value) {
    if (!hasExtension("cl_ext_buffer_device_address") || value > CL_TRUE || result.device_address)
      return CL_INVALID_PROPERTY;
    result.device_address = value == CL_TRUE;
    return CL_SUCCESS;
  }

  cl_int readDescriptor(cl_mem_properties value) {
    if (!hasExtension("cl_khr_external_memory_opaque_fd") || value > INT_MAX || descriptor)
      return CL_INVALID_PROPERTY;
    descriptor = int(value);
    return CL_SUCCESS;
  }

  cl_int readDevices() {
    if (!hasExtension("cl_khr_external_memory") || devices)
      return CL_INVALID_PROPERTY;
    devices.emplace();
    for (; *next != CL_MEM_DEVICE_HANDLE_LIST_END_KHR; ++next) {
      const auto device = reinterpret_cast<cl_device_id>(*next);
      if (std::ranges::count(handlesOf(context.devices()), device) == 0)
        return CL_INVALID_DEVICE;
      devices->push_back(device);
    }
    ++next;
    return devices->empty() ? CL_INVALID_PROPERTY : CL_SUCCESS;
  }

  const Context &context;
  const cl_mem_properties *next;
  std::optional<int> descriptor;
  std::optional<std::vector<cl_device_id>> devices;
  MemoryProperties result;
};

} // namespace

Result<MemoryProperties> readProperties(const Context &context, const cl_mem_properties *properties) {
  return Reader(context, properties).run();
}

cl_int checkExternal(cl_mem_flags flags, const void *host_pointer) {
  if ((flags & kHostPointer) != 0)
    return CL_INVALID_VALUE;
  return host_pointer ? CL_INVALID_HOST_PTR : CL_SUCCESS;
}

} // namespace lanecl::icd
