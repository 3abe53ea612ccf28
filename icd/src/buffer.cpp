// Creating buffers and sub-buffers.
#include "device_limits.h"
#include "entry.h"
#include "memory_limits.h"
#include "memory_object.h"

#include <bit>

namespace lanecl::icd {
namespace {

constexpr cl_mem_flags kKernelAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

// CL_INVALID_VALUE if values specified in flags are not valid: unknown ones, and ones that exclude each other.
cl_int checkFlags(cl_mem_flags flags) {
  if ((flags & ~(kKernelAccess | kHostAccess | kHostPointer)) != 0)
    return CL_INVALID_VALUE;
  if (std::popcount(flags & kKernelAccess) > 1 || std::popcount(flags & kHostAccess) > 1)
    return CL_INVALID_VALUE;
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_int checkHostPointer(Context &context, cl_mem_flags flags, size_t size, void *host_pointer) {
  const bool takes_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  // CL_INVALID_HOST_PTR if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags, or if
  // host_ptr is not NULL but neither is set.
  if (takes_pointer != (host_pointer != nullptr))
    return CL_INVALID_HOST_PTR;
  // CL_INVALID_BUFFER_SIZE if host_ptr is a pointer returned by clSVMAlloc, and size is greater than that allocation.
  const size_t svm_bytes = host_pointer ? context.svm().bytesFrom(host_pointer) : 0;
  return svm_bytes != 0 && size > svm_bytes ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS;
}

Result<Ref<Memory>> createBuffer(cl_context handle, const cl_mem_properties *properties, cl_mem_flags flags,
                                 size_t size, void *host_pointer) {
  if (cl_int code = validate(handle))
    return Error{code};
  // CL_INVALID_PROPERTY if a property name in properties is not a supported property name: there are none.
  if (properties && *properties != 0)
    return Error{CL_INVALID_PROPERTY};
  if (cl_int code = checkFlags(flags))
    return Error{code};
  // CL_INVALID_BUFFER_SIZE if size is zero, or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in context.
  if (size == 0 || size > maxAllocationBytes())
    return Error{CL_INVALID_BUFFER_SIZE};
  if (cl_int code = checkHostPointer(objectOf(handle), flags, size, host_pointer))
    return Error{code};
  // CL_MEM_READ_WRITE is the default.
  if ((flags & kKernelAccess) == 0)
    flags |= CL_MEM_READ_WRITE;
  std::vector<cl_mem_properties> list;
  if (properties)
    list.push_back(0);
  return Memory::createBuffer(objectOf(handle), flags, size, host_pointer, std::move(list));
}

cl_int checkSubBufferFlags(cl_mem_flags parent, cl_mem_flags flags) {
  if (cl_int code = checkFlags(flags))
    return code;
  // CL_INVALID_VALUE if flags specifies CL_MEM_USE_HOST_PTR or CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR.
  if ((flags & kHostPointer) != 0)
    return CL_INVALID_VALUE;
  const auto forbids = [&](cl_mem_flags of_parent, cl_mem_flags in_flags) {
    return (parent & of_parent) != 0 && (flags & in_flags) != 0;
  };
  // CL_INVALID_VALUE if buffer was created with CL_MEM_WRITE_ONLY and flags specifies CL_MEM_READ_WRITE or
  // CL_MEM_READ_ONLY, or with CL_MEM_READ_ONLY and flags specifies CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY, or with
  // CL_MEM_HOST_WRITE_ONLY and flags specify CL_MEM_HOST_READ_ONLY, or with CL_MEM_HOST_READ_ONLY and flags specify
  // CL_MEM_HOST_WRITE_ONLY, or with CL_MEM_HOST_NO_ACCESS and flags specify either of these.
  if (forbids(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY) ||
      forbids(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY) ||
      forbids(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY) ||
      forbids(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY) ||
      forbids(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_mem_flags inherit(cl_mem_flags parent, cl_mem_flags flags) {
  if ((flags & kKernelAccess) == 0)
    flags |= parent & kKernelAccess;
  if ((flags & kHostAccess) == 0)
    flags |= parent & kHostAccess;
  return flags | (parent & kHostPointer);
}

Result<Ref<Memory>> createSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type, const void *info) {
  if (cl_int code = validate(handle))
    return Error{code};
  Memory &buffer = objectOf(handle);
  // CL_INVALID_MEM_OBJECT if buffer is a sub-buffer object, or no buffer.
  if (buffer.parent() || buffer.type() != CL_MEM_OBJECT_BUFFER)
    return Error{CL_INVALID_MEM_OBJECT};
  if (cl_int code = checkSubBufferFlags(buffer.flags(), flags))
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
  // CL_MISALIGNED_SUB_BUFFER_OFFSET if the origin is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN. With one device this
  // is the only place where it can happen: no command meets a misaligned sub-buffer later.
  if (region.origin % kBaseAlignment != 0)
    return Error{CL_MISALIGNED_SUB_BUFFER_OFFSET};
  return make<Memory>(buffer, inherit(buffer.flags(), flags), region.origin, region.size);
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

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                                  const void *info, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createSubBuffer(buffer, flags, type, info); });
}
