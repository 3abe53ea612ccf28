// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clSetKernelArg, clSetKernelArgSVMPointer and clSetKernelExecInfo.
#include "program/kernel_arguments.h"

#include "api/entry.h"
#include "api/recent_names.h"
#include "icd/capabilities.h"
#include "icd/profile.h"
#include "memory/sampler.h"

#include <CL/cl_ext.h>

namespace lanecl::icd {
namespace {

using frontend::ArgumentKind;

// Each of the following functions checks and sets one kind of argument. When it returns an error, the kernel is
// unchanged.

cl_int setPointer(Kernel &kernel, size_t index, size_t size, const void *value) {
  // CL_INVALID_ARG_SIZE if arg_value points to a memory object and arg_size is not equal to sizeof(cl_mem).
  if (size != sizeof(cl_mem))
    return CL_INVALID_ARG_SIZE;
  // A NULL arg_value, or one that points to NULL, is a null pointer in the kernel.
  const cl_mem handle = value ? *static_cast<const cl_mem *>(value) : nullptr;
  if (!handle) {
    kernel.setPointer(index, nullptr);
    return CL_SUCCESS;
  }
  // CL_INVALID_MEM_OBJECT if arg_value does not point to a valid memory object, or to one not valid for the argument.
  if (cl_int code = validate(handle))
    return code;
  Memory &memory = objectOf(handle);
  if (memory.type() != CL_MEM_OBJECT_BUFFER)
    return CL_INVALID_MEM_OBJECT;
  // CL_INVALID_CONTEXT if the context associated with kernel and the memory object are not the same.
  if (&memory.context() != &kernel.context())
    return CL_INVALID_CONTEXT;
  // CL_INVALID_ARG_VALUE for a buffer created with CL_MEM_IMMUTABLE_EXT that the kernel may write.
  const frontend::ArgumentInfo &info = kernel.info().arguments[index];
  if ((memory.flags() & CL_MEM_IMMUTABLE_EXT) != 0 && info.kind == ArgumentKind::GlobalPointer && !info.is_const)
    return CL_INVALID_ARG_VALUE;
  kernel.setPointer(index, memory.data(), &memory);
  return CL_SUCCESS;
}

cl_mem_object_type objectTypeOf(frontend::ImageShape shape) {
  switch (shape) {
  case frontend::ImageShape::Image1D: return CL_MEM_OBJECT_IMAGE1D;
  case frontend::ImageShape::Image1DBuffer: return CL_MEM_OBJECT_IMAGE1D_BUFFER;
  case frontend::ImageShape::Image1DArray: return CL_MEM_OBJECT_IMAGE1D_ARRAY;
  case frontend::ImageShape::Image2D: return CL_MEM_OBJECT_IMAGE2D;
  case frontend::ImageShape::Image2DArray: return CL_MEM_OBJECT_IMAGE2D_ARRAY;
  case frontend::ImageShape::Image3D: return CL_MEM_OBJECT_IMAGE3D;
  case frontend::ImageShape::None: break;
  }
  return 0;
}

// Returns the flags that an image must not have when it is passed to an argument with this access qualifier.
cl_mem_flags excludedBy(frontend::AccessQualifier access) {
  switch (access) {
  case frontend::AccessQualifier::WriteOnly: return CL_MEM_NO_ACCESS_INTEL | CL_MEM_READ_ONLY;
  case frontend::AccessQualifier::ReadWrite: return CL_MEM_NO_ACCESS_INTEL | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
  default: return CL_MEM_NO_ACCESS_INTEL | CL_MEM_WRITE_ONLY;
  }
}

cl_int setImage(Kernel &kernel, size_t index, size_t size, const void *value) {
  if (size != sizeof(cl_mem))
    return CL_INVALID_ARG_SIZE;
  // CL_INVALID_MEM_OBJECT if arg_value is NULL, or does not point to a valid memory object, or to one that is not valid
  // for the argument: its type must be the argument's, and the order of a depth image is CL_DEPTH.
  const cl_mem handle = value ? *static_cast<const cl_mem *>(value) : nullptr;
  if (cl_int code = validate(handle))
    return code;
  const frontend::ArgumentInfo &info = kernel.info().arguments[index];
  Memory &memory = objectOf(handle);
  if (!memory.image() || memory.type() != objectTypeOf(info.image) ||
      (memory.image()->format.image_channel_order == CL_DEPTH) != info.is_depth_image)
    return CL_INVALID_MEM_OBJECT;
  if (&memory.context() != &kernel.context())
    return CL_INVALID_CONTEXT;
  // CL_INVALID_ARG_VALUE if the argument is an image declared with the read_only qualifier and arg_value points to an
  // image object created with CL_MEM_WRITE_ONLY, or with write_only and CL_MEM_READ_ONLY. The same error is returned
  // for an image created with CL_MEM_NO_ACCESS_INTEL, which says that no kernel accesses it.
  if ((memory.flags() & excludedBy(info.access)) != 0)
    return CL_INVALID_ARG_VALUE;
  kernel.setPointer(index, &memory.image()->descriptor, &memory);
  return CL_SUCCESS;
}

cl_int setSampler(Kernel &kernel, size_t index, size_t size, const void *value) {
  // CL_INVALID_ARG_SIZE if arg_value points to a sampler object and arg_size is not equal to sizeof(cl_sampler).
  if (size != sizeof(cl_sampler))
    return CL_INVALID_ARG_SIZE;
  // CL_INVALID_SAMPLER if arg_value does not point to a valid sampler object.
  const cl_sampler handle = value ? *static_cast<const cl_sampler *>(value) : nullptr;
  if (cl_int code = validate(handle))
    return code;
  const Sampler &sampler = objectOf(handle);
  if (&sampler.context() != &kernel.context())
    return CL_INVALID_CONTEXT;
  const uint64_t bits = sampler.bits();
  kernel.setValue(index, &bits);
  return CL_SUCCESS;
}

cl_int setPipe(Kernel &kernel, size_t index, size_t size, const void *value) {
  if (size != sizeof(cl_mem))
    return CL_INVALID_ARG_SIZE;
  // CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when the specified arg_value is not a valid
  // memory object, or not a pipe.
  const cl_mem handle = value ? *static_cast<const cl_mem *>(value) : nullptr;
  if (cl_int code = validate(handle))
    return code;
  Memory &memory = objectOf(handle);
  if (!memory.pipe())
    return CL_INVALID_MEM_OBJECT;
  if (&memory.context() != &kernel.context())
    return CL_INVALID_CONTEXT;
  kernel.setPointer(index, memory.data(), &memory);
  return CL_SUCCESS;
}

cl_int setLocal(Kernel &kernel, size_t index, size_t size, const void *value) {
  // CL_INVALID_ARG_SIZE if the argument is a pointer to the local address space and arg_size is zero. This does not
  // apply if the platform is OpenCL 3.1 or newer.
  if (size == 0 && platformMinor() < 1)
    return CL_INVALID_ARG_SIZE;
  // If the argument is declared with the local qualifier, the arg_value entry must be NULL.
  if (value)
    return CL_INVALID_ARG_VALUE;
  kernel.setLocal(index, size);
  return CL_SUCCESS;
}

cl_int setValue(Kernel &kernel, size_t index, size_t size, const void *value) {
  // CL_INVALID_ARG_SIZE if arg_size does not match the size of the data type for the argument. Intel's driver for GPUs
  // takes the first bytes of a longer value, and programs rely on it.
  const size_t expected = kernel.info().arguments[index].size;
  if (size < expected || (size > expected && !deviceProfile().accepts_long_values))
    return CL_INVALID_ARG_SIZE;
  if (!value)
    return CL_INVALID_ARG_VALUE;
  kernel.setValue(index, value);
  return CL_SUCCESS;
}

} // namespace

cl_int setArgument(cl_kernel handle, cl_uint index, size_t size, const void *value) {
  if (cl_int code = validate(handle))
    return code;
  Kernel &kernel = objectOf(handle);
  // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index.
  if (index >= kernel.arguments().size())
    return CL_INVALID_ARG_INDEX;
  switch (kernel.info().arguments[index].kind) {
  case ArgumentKind::Value: return setValue(kernel, index, size, value);
  case ArgumentKind::GlobalPointer:
  case ArgumentKind::ConstantPointer: return setPointer(kernel, index, size, value);
  case ArgumentKind::LocalPointer: return setLocal(kernel, index, size, value);
  case ArgumentKind::Image: return setImage(kernel, index, size, value);
  case ArgumentKind::Sampler: return setSampler(kernel, index, size, value);
  case ArgumentKind::Pipe: return setPipe(kernel, index, size, value);
  }
  return CL_INVALID_ARG_VALUE;
}

cl_int setSvmPointer(cl_kernel handle, cl_uint index, const void *pointer) {
  if (cl_int code = validate(handle))
    return code;
  Kernel &kernel = objectOf(handle);
  if (index >= kernel.arguments().size())
    return CL_INVALID_ARG_INDEX;
  const ArgumentKind kind = kernel.info().arguments[index].kind;
  // CL_INVALID_ARG_VALUE if arg_value specified is not a valid value: the argument must be a pointer to global or
  // constant memory. With fine-grain system SVM every pointer may be one.
  if (kind != ArgumentKind::GlobalPointer && kind != ArgumentKind::ConstantPointer)
    return CL_INVALID_ARG_VALUE;
  kernel.setPointer(index, pointer);
  return CL_SUCCESS;
}

// Sets an address of cl_ext_buffer_device_address. Any address is accepted, as long as the kernel accesses only memory
// that is there.
cl_int setDevicePointer(cl_kernel handle, cl_uint index, cl_mem_device_address_ext address) {
  if (cl_int code = validate(handle))
    return code;
  Kernel &kernel = objectOf(handle);
  // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index, or corresponds to an argument that is not a
  // pointer to the global address space.
  if (index >= kernel.arguments().size() || kernel.info().arguments[index].kind != ArgumentKind::GlobalPointer)
    return CL_INVALID_ARG_INDEX;
  kernel.setPointer(index, reinterpret_cast<const void *>(address));
  return CL_SUCCESS;
}

cl_int setFineGrainSystem(size_t size, const void *value) {
  if (size != sizeof(cl_bool))
    return CL_INVALID_VALUE;
  // CL_INVALID_OPERATION if param_value is CL_TRUE and no devices support fine-grain system SVM allocations.
  const bool is_asked = *static_cast<const cl_bool *>(value) != CL_FALSE;
  return is_asked && !deviceProfile().has_fine_grain_system ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int setExecInfo(cl_kernel handle, cl_kernel_exec_info name, size_t size, const void *value) {
  if (cl_int code = validate(handle))
    return code;
  // CL_INVALID_VALUE if param_name is not valid, if param_value is NULL and param_value_size is greater than zero, or
  // if the size specified by param_value_size is not valid.
  if (!value && size > 0)
    return CL_INVALID_VALUE;
  switch (name) {
  // These lists of pointers and flags have no effect here: kernels can always access all of the host's memory.
  case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
    if (!hasExtension("cl_ext_buffer_device_address"))
      return CL_INVALID_OPERATION;
    [[fallthrough]];
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
  case CL_KERNEL_EXEC_INFO_SVM_PTRS: return size % sizeof(void *) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL: return size == sizeof(cl_bool) ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR:
    return hasExtension("cl_khr_unified_svm") && size == sizeof(cl_bool) ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: return setFineGrainSystem(size, value);
  default: return CL_INVALID_VALUE;
  }
}

} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  return entry([&] { return setArgument(kernel, index, size, value); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  return entry([&] { return setSvmPointer(kernel, index, pointer); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void *pointer) {
  return entry([&] { return setSvmPointer(kernel, index, pointer); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint index,
                                                               cl_mem_device_address_ext address) {
  return entry([&] { return setDevicePointer(kernel, index, address); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t size,
                                                    const void *value) {
  return entry([&] { return setExecInfo(kernel, param_name, size, value); });
}
