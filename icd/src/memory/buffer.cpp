// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates buffers and sub-buffers.
#include "api/entry.h"
#include "api/recent_names.h"
#include "device/device_limits.h"
#include "device/memory_limits.h"
#include "icd/capabilities.h"
#include "memory/memory_flags.h"
#include "memory/memory_object.h"
#include "memory/memory_properties.h"

namespace lanecl::icd {
namespace {

// Returns true if host_ptr points into an SVM allocation that has fewer than `size` bytes from there on.
// CL_INVALID_BUFFER_SIZE if host_ptr is a pointer returned by clSVMAlloc, and size is greater than that allocation.
bool exceedsAllocation(Context &context, size_t size, const void *host_pointer) {
  const size_t svm_bytes = host_pointer ? context.svm().bytesFrom(host_pointer) : 0;
  return svm_bytes != 0 && size > svm_bytes;
}

// Returns the flags of cl_intel_mem_force_host_memory, which are for buffers only and have no effect: all memory is the
// host's.
cl_mem_flags placementFlags() {
  return hasExtension("cl_intel_mem_force_host_memory") ? CL_MEM_FORCE_HOST_MEMORY_INTEL : 0;
}

// CL_INVALID_HOST_PTR if flags includes CL_MEM_USE_HOST_PTR and CL_MEM_FORCE_HOST_MEMORY_INTEL and host_ptr is not
// aligned to the largest CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, CL_INVALID_BUFFER_SIZE if size is not a multiple of that.
// Intel's driver for GPUs has neither check, and programs rely on it.
cl_int checkPlacement(cl_mem_flags flags, size_t size, const void *host_pointer) {
  constexpr cl_mem_flags kChecked = CL_MEM_USE_HOST_PTR | CL_MEM_FORCE_HOST_MEMORY_INTEL;
  if ((flags & kChecked) != kChecked || !deviceProfile().checks_forced_host_memory)
    return CL_SUCCESS;
  if (reinterpret_cast<uintptr_t>(host_pointer) % cacheLineBytes() != 0)
    return CL_INVALID_HOST_PTR;
  return size % cacheLineBytes() == 0 ? CL_SUCCESS : CL_INVALID_BUFFER_SIZE;
}

// CL_INVALID_BUFFER_SIZE if size is zero, or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in context.
cl_int checkSize(size_t size) {
  return size == 0 || size > maxAllocationBytes() ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS;
}

// Imports a buffer. Its size must not exceed that of the external memory.
Result<Ref<Memory>> createExternalBuffer(Context &context, MemoryProperties given, cl_mem_flags flags, size_t size,
                                         const void *host_pointer) {
  if (cl_int code = checkExternal(flags, host_pointer))
    return Error{code};
  if (cl_int code = checkSize(size))
    return Error{code};
  auto external =
      ExternalMemory::import(*given.external, size, (flags & CL_MEM_IMMUTABLE_EXT) == 0, CL_INVALID_BUFFER_SIZE);
  if (!external)
    return external.error();
  return Memory::createBuffer(context, withDefaultAccess(flags), size, nullptr, std::move(given.list),
                              std::move(*external));
}

Result<Ref<Memory>> createBuffer(cl_context handle, const cl_mem_properties *properties, cl_mem_flags flags,
                                 size_t size, void *host_pointer) {
  if (cl_int code = validate(handle))
    return Error{code};
  auto given = readProperties(objectOf(handle), properties);
  if (!given)
    return given.error();
  if (cl_int code = checkFlags(flags & ~placementFlags()))
    return Error{code};
  if (given->external)
    return createExternalBuffer(objectOf(handle), std::move(*given), flags, size, host_pointer);
  if (cl_int code = checkContent(flags))
    return Error{code};
  if (cl_int code = checkSize(size))
    return Error{code};
  if (cl_int code = checkHostPointer(flags, host_pointer))
    return Error{code};
  if (cl_int code = checkPlacement(flags, size, host_pointer))
    return Error{code};
  if (exceedsAllocation(objectOf(handle), size, host_pointer))
    return Error{CL_INVALID_BUFFER_SIZE};
  return Memory::createBuffer(objectOf(handle), withDefaultAccess(flags), size, host_pointer, std::move(given->list));
}

Result<Ref<Memory>> createSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type, const void *info) {
  if (cl_int code = validate(handle))
    return Error{code};
  Memory &buffer = objectOf(handle);
  // CL_INVALID_MEM_OBJECT if buffer is a sub-buffer object, or no buffer.
  if (buffer.parent() || buffer.type() != CL_MEM_OBJECT_BUFFER)
    return Error{CL_INVALID_MEM_OBJECT};
  if (cl_int code = checkDerivedFlags(buffer.flags(), flags))
    return Error{code};
  // CL_INVALID_VALUE if the value specified in buffer_create_type is not valid, or if buffer_create_info is NULL.
  if (type != CL_BUFFER_CREATE_TYPE_REGION || !info)
    return Error{CL_INVALID_VALUE};
  const auto &region = *static_cast<const cl_buffer_region *>(info);
  // CL_INVALID_BUFFER_SIZE if the size field is zero.
  if (region.size == 0)
    return Error{CL_INVALID_BUFFER_SIZE};
  // CL_INVALID_VALUE if the region is out of bounds in buffer.
  if (!buffer.contains(region.origin, region.size))
    return Error{CL_INVALID_VALUE};
  // CL_MISALIGNED_SUB_BUFFER_OFFSET if the origin is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN. All devices have the
  // same alignment, so commands need not check sub-buffers again.
  if (region.origin % kBaseAlignment != 0)
    return Error{CL_MISALIGNED_SUB_BUFFER_OFFSET};
  return make<Memory>(buffer, inheritFlags(buffer.flags(), flags), region.origin, region.size);
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_pointer,
                                               cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createBuffer(context, nullptr, flags, size, host_pointer); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                                             cl_mem_flags flags, size_t size, void *host_pointer,
                                                             cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createBuffer(context, properties, flags, size, host_pointer); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithPropertiesINTEL(cl_context context,
                                                                  const cl_mem_properties_intel *properties,
                                                                  cl_mem_flags flags, size_t size, void *host_pointer,
                                                                  cl_int *errcode_ret) {
  return create(errcode_ret, [&] {
    auto buffer = createBuffer(context, properties, flags, size, host_pointer);
    // For properties that are not supported, not valid or repeated, this function's error is CL_INVALID_VALUE.
    return buffer.code() == CL_INVALID_PROPERTY ? Result<Ref<Memory>>(Error{CL_INVALID_VALUE}) : std::move(buffer);
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                                  const void *info, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createSubBuffer(buffer, flags, type, info); });
}
