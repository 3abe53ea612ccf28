// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_unified_svm: allocates shared virtual memory with a type and properties, and answers queries about pointers.
#include "api/entry.h"
#include "api/info.h"
#include "context/context.h"
#include "device/device_limits.h"
#include "device/memory_limits.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace lanecl::icd {
namespace {

constexpr cl_svm_alloc_access_flags_khr kAccessFlags =
    CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR |
    CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;

bool isDeviceOf(const Context &context, cl_device_id device) {
  return Device::cast(device) && contains(context.devices(), &objectOf(device));
}

// Reads one property and its value. Returns false when either is not valid.
bool readProperty(const Context &context, const cl_svm_alloc_properties_khr *entry, SvmFacts &facts) {
  const cl_svm_alloc_properties_khr value = entry[1];
  switch (entry[0]) {
  case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR:
    facts.device = reinterpret_cast<cl_device_id>(value);
    return !facts.device || isDeviceOf(context, facts.device);
  case CL_SVM_ALLOC_ACCESS_FLAGS_KHR: facts.access_flags = value; return (value & ~kAccessFlags) == 0;
  // The alignment must be a power of two and must be equal to or smaller than the size of the largest data type. The
  // default value is 0, that size.
  case CL_SVM_ALLOC_ALIGNMENT_KHR: return value == 0 || (std::has_single_bit(value) && value <= kBaseAlignment);
  default: return false;
  }
}

// Reads a list of properties. CL_INVALID_PROPERTY if a memory property name in properties is not a supported property
// name, if the value specified for a supported property name is not valid, or if the same property name is specified
// more than once.
cl_int readProperties(const Context &context, const cl_svm_alloc_properties_khr *properties, SvmFacts &facts) {
  if (!properties)
    return CL_SUCCESS;
  SvmProperties &list = facts.properties;
  for (const cl_svm_alloc_properties_khr *entry = properties; *entry != 0; entry += 2) {
    for (size_t i = 0; i < list.count; i += 2)
      if (list.values[i] == *entry)
        return CL_INVALID_PROPERTY;
    if (!readProperty(context, entry, facts))
      return CL_INVALID_PROPERTY;
    list.values[list.count++] = entry[0];
    list.values[list.count++] = entry[1];
  }
  list.values[list.count++] = 0;
  return CL_SUCCESS;
}

Result<void *> allocate(cl_context handle, const cl_svm_alloc_properties_khr *properties, cl_uint type, size_t size) {
  if (cl_int code = validate(handle))
    return Error{code};
  Context &context = objectOf(handle);
  // CL_INVALID_VALUE if svm_type_index is not that of a type. Every device supports every type.
  if (type >= std::size(kSvmTypes))
    return Error{CL_INVALID_VALUE};
  SvmFacts facts{.type = SvmType(type)};
  if (cl_int code = readProperties(context, properties, facts))
    return Error{code};
  // The associated device is required unless the type contains CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR.
  if (!facts.device && (kSvmTypes[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR) == 0)
    return Error{CL_INVALID_PROPERTY};
  // When size is zero, NULL is returned, and no error.
  if (size == 0)
    return static_cast<void *>(nullptr);
  // An allocation that exceeds CL_DEVICE_MAX_MEM_ALLOC_SIZE may fail with an implementation-defined error.
  if (size > maxAllocationBytes())
    return Error{CL_INVALID_BUFFER_SIZE};
  void *pointer = context.svm().allocate(size, kBaseAlignment, facts);
  return pointer ? Result<void *>(pointer) : Error{CL_OUT_OF_RESOURCES};
}

cl_int freeAllocation(cl_context handle, const cl_svm_free_properties_khr *properties, cl_svm_free_flags_khr flags,
                      void *pointer) {
  if (cl_int code = validate(handle))
    return code;
  // CL_INVALID_PROPERTY if a property name is not supported, CL_INVALID_VALUE if flags contains an invalid flag: none
  // is defined.
  if (properties && *properties != 0)
    return CL_INVALID_PROPERTY;
  if (flags != 0)
    return CL_INVALID_VALUE;
  if (!pointer)
    return CL_SUCCESS;
  SvmRegistry &svm = objectOf(handle).svm();
  noteMemoryFreed("clSVMFreeWithPropertiesKHR", pointer, svm.bytesFrom(pointer));
  // CL_INVALID_VALUE if ptr is not a value returned by clSVMAlloc, clSVMAllocWithPropertiesKHR, or a NULL pointer.
  return svm.free(pointer) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int pointerInfo(cl_context handle, cl_device_id device, const void *pointer, cl_svm_pointer_info_khr name,
                   const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  // CL_INVALID_DEVICE if device is not a valid device, or is not associated with context. The answers are the same for
  // all devices.
  if (device && !isDeviceOf(objectOf(handle), device))
    return CL_INVALID_DEVICE;
  const auto found = objectOf(handle).svm().find(pointer);
  const auto [base, size, facts] = found.value_or(SvmRegistry::Allocation());
  switch (name) {
  case CL_SVM_INFO_TYPE_INDEX_KHR: return info.value<cl_uint>(found ? cl_uint(facts.type) : CL_UINT_MAX);
  case CL_SVM_INFO_CAPABILITIES_KHR: return info.value<cl_svm_capabilities_khr>(found ? kSvmTypes[facts.type] : 0);
  case CL_SVM_INFO_PROPERTIES_KHR:
    return info.list<cl_svm_alloc_properties_khr>(std::span(facts.properties.values).first(facts.properties.count));
  case CL_SVM_INFO_ACCESS_FLAGS_KHR: return info.value<cl_svm_alloc_access_flags_khr>(facts.access_flags);
  case CL_SVM_INFO_BASE_PTR_KHR: return info.value<void *>(base);
  case CL_SVM_INFO_SIZE_KHR: return info.value<size_t>(size);
  case CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR: return info.value<cl_device_id>(facts.device);
  default: return CL_INVALID_VALUE;
  }
}

// Suggests the type with all required and the most desired capabilities. It is CL_UINT_MAX when no type has the
// required ones: capabilities that do not exist are no error. Properties exclude no type.
cl_int suggestType(cl_context handle, cl_svm_capabilities_khr required, cl_svm_capabilities_khr desired,
                   const cl_svm_alloc_properties_khr *properties, size_t size, cl_uint *suggested) {
  if (cl_int code = validate(handle))
    return code;
  SvmFacts facts;
  if (cl_int code = readProperties(objectOf(handle), properties, facts))
    return code;
  // CL_INVALID_VALUE if suggested_svm_type_index is NULL.
  if (!suggested)
    return CL_INVALID_VALUE;
  *suggested = CL_UINT_MAX;
  if (size > maxAllocationBytes())
    return CL_SUCCESS;
  int most = -1;
  for (cl_uint type = 0; type < std::size(kSvmTypes); ++type)
    if (const int number = std::popcount(kSvmTypes[type] & desired);
        (required & ~kSvmTypes[type]) == 0 && number > most) {
      most = number;
      *suggested = type;
    }
  return CL_SUCCESS;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY void *CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context,
                                                           const cl_svm_alloc_properties_khr *properties,
                                                           cl_uint type_index, size_t size, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return allocate(context, properties, type_index, size); });
}

CL_API_ENTRY cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context,
                                                           const cl_svm_free_properties_khr *properties,
                                                           cl_svm_free_flags_khr flags, void *pointer) {
  return entry([&] { return freeAllocation(context, properties, flags, pointer); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void *pointer,
                                                       cl_svm_pointer_info_khr param_name, size_t size, void *value,
                                                       size_t *size_ret) {
  return entry([&] { return pointerInfo(context, device, pointer, param_name, InfoWriter(size, value, size_ret)); },
               param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context, cl_svm_capabilities_khr required,
                                                              cl_svm_capabilities_khr desired,
                                                              const cl_svm_alloc_properties_khr *properties,
                                                              size_t size, cl_uint *suggested) {
  return entry([&] { return suggestType(context, required, desired, properties, size, suggested); });
}
