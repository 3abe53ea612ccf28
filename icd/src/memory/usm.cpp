// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_intel_unified_shared_memory: allocates and frees memory. Host and device share one memory with coherent caches, so
// the three kinds of allocations differ only in what queries return, and hints change nothing.
#include "api/entry.h"
#include "api/info.h"
#include "context/context.h"
#include "device/device_limits.h"
#include "device/memory_limits.h"

#include <bit>

namespace lanecl::icd {
namespace {

constexpr cl_mem_alloc_flags_intel kPlacements =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

// The arguments that the three allocating functions have in common.
struct Request {
  cl_unified_shared_memory_type_intel type;
  cl_device_id device;
  const cl_mem_properties_intel *properties;
  size_t size;
  cl_uint alignment;
};

cl_int checkDevice(const Context &context, const Request &request) {
  const bool optional = request.type != CL_MEM_TYPE_DEVICE_INTEL;
  if (optional && !request.device)
    return CL_SUCCESS;
  // CL_INVALID_DEVICE if device is not a valid device or is not associated with context.
  if (cl_int code = validate(request.device))
    return code;
  return contains(context.devices(), &objectOf(request.device)) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

// Returns true if these flags are valid for this kind of allocation.
bool areAllocationFlags(cl_mem_alloc_flags_intel flags, cl_unified_shared_memory_type_intel type) {
  if ((flags & ~(kPlacements | CL_MEM_ALLOC_WRITE_COMBINED_INTEL)) != 0)
    return false;
  // The placement flags are for shared allocations only, and one excludes the other.
  return (flags & kPlacements) == 0 || (type == CL_MEM_TYPE_SHARED_INTEL && (flags & kPlacements) != kPlacements);
}

cl_int readProperties(const Request &request, cl_mem_alloc_flags_intel &flags) {
  bool seen = false;
  for (const cl_mem_properties_intel *entry = request.properties; entry && *entry; entry += 2) {
    // CL_INVALID_PROPERTY if a memory property name in properties is not a supported property name, if the value
    // specified for a supported property name is not valid, or if the same property name is specified more than once.
    if (entry[0] != CL_MEM_ALLOC_FLAGS_INTEL || seen || !areAllocationFlags(entry[1], request.type))
      return CL_INVALID_PROPERTY;
    flags = entry[1];
    seen = true;
  }
  return CL_SUCCESS;
}

Result<void *> allocate(cl_context handle, const Request &request) {
  if (cl_int code = validate(handle))
    return Error{code};
  Context &context = objectOf(handle);
  if (cl_int code = checkDevice(context, request))
    return Error{code};
  // CL_INVALID_VALUE if alignment is not zero or a power of two, or is greater than the size of the largest data type.
  if (request.alignment != 0 && (!std::has_single_bit(request.alignment) || request.alignment > kBaseAlignment))
    return Error{CL_INVALID_VALUE};
  cl_mem_alloc_flags_intel flags = 0;
  if (cl_int code = readProperties(request, flags))
    return Error{code};
  // CL_INVALID_BUFFER_SIZE if size is zero or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE.
  if (request.size == 0 || request.size > maxAllocationBytes())
    return Error{CL_INVALID_BUFFER_SIZE};
  // The default alignment is the size of the largest data type, which serves every request.
  void *pointer = context.usm().allocate(request.size, kBaseAlignment,
                                         {.type = request.type, .device = request.device, .flags = flags});
  return pointer ? Result<void *>(pointer) : Error{CL_OUT_OF_RESOURCES};
}

cl_int freeAllocation(cl_context handle, void *pointer, bool blocking) {
  if (cl_int code = validate(handle))
    return code;
  if (!pointer)
    return CL_SUCCESS;
  const Ref<Context> context(objectOf(handle)); // another thread may release it meanwhile
  if (blocking) {
    // CL_INVALID_VALUE if ptr is not a value returned by one of the three functions. This is checked before waiting.
    const auto allocation = context->usm().find(pointer);
    if (!allocation || allocation->base != pointer)
      return CL_INVALID_VALUE;
    // A command need not say which allocations it uses, so every incomplete command of the context may use this one.
    context->pendingWork().wait();
  } else {
    noteMemoryFreed("clMemFreeINTEL", pointer, context->usm().bytesFrom(pointer));
  }
  return context->usm().free(pointer) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int allocationInfo(cl_context handle, const void *pointer, cl_mem_info_intel name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  const auto [base, size, facts] = objectOf(handle).usm().find(pointer).value_or(UsmRegistry::Allocation());
  switch (name) {
  case CL_MEM_ALLOC_TYPE_INTEL: return info.value<cl_unified_shared_memory_type_intel>(facts.type);
  case CL_MEM_ALLOC_BASE_PTR_INTEL: return info.value<void *>(base);
  case CL_MEM_ALLOC_SIZE_INTEL: return info.value<size_t>(size);
  case CL_MEM_ALLOC_DEVICE_INTEL: return info.value<cl_device_id>(facts.device);
  case CL_MEM_ALLOC_FLAGS_INTEL: return info.value<cl_mem_alloc_flags_intel>(facts.flags);
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY void *CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                                                   size_t size, cl_uint alignment, cl_int *errcode_ret) {
  return create(errcode_ret,
                [&] { return allocate(context, {CL_MEM_TYPE_HOST_INTEL, nullptr, properties, size, alignment}); });
}

CL_API_ENTRY void *CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                                     const cl_mem_properties_intel *properties, size_t size,
                                                     cl_uint alignment, cl_int *errcode_ret) {
  return create(errcode_ret,
                [&] { return allocate(context, {CL_MEM_TYPE_DEVICE_INTEL, device, properties, size, alignment}); });
}

CL_API_ENTRY void *CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                                     const cl_mem_properties_intel *properties, size_t size,
                                                     cl_uint alignment, cl_int *errcode_ret) {
  return create(errcode_ret,
                [&] { return allocate(context, {CL_MEM_TYPE_SHARED_INTEL, device, properties, size, alignment}); });
}

CL_API_ENTRY cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *pointer) {
  return entry([&] { return freeAllocation(context, pointer, false); });
}

CL_API_ENTRY cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *pointer) {
  return entry([&] { return freeAllocation(context, pointer, true); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void *pointer,
                                                       cl_mem_info_intel param_name, size_t size, void *value,
                                                       size_t *size_ret) {
  return entry([&] { return allocationInfo(context, pointer, param_name, InfoWriter(size, value, size_ret)); },
               param_name);
}
