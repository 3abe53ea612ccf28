// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Answers queries of kernels, their arguments, work-groups and sub-groups.
#include "api/entry.h"
#include "api/info.h"
#include "device/device_limits.h"
#include "program/kernel.h"

#include "icd/capabilities.h"

#include <array>

namespace lanecl::icd {
namespace {

cl_int kernelInfo(cl_kernel handle, cl_kernel_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  Kernel &kernel = objectOf(handle);
  switch (name) {
  case CL_KERNEL_FUNCTION_NAME: return info.text(kernel.info().name);
  case CL_KERNEL_NUM_ARGS: return info.value<cl_uint>(cl_uint(kernel.info().arguments.size()));
  case CL_KERNEL_REFERENCE_COUNT: return info.value<cl_uint>(kernel.applicationReferences());
  case CL_KERNEL_CONTEXT: return info.value<cl_context>(kernel.context().handle());
  case CL_KERNEL_PROGRAM: return info.value<cl_program>(kernel.program().handle());
  case CL_KERNEL_ATTRIBUTES: return info.text(kernel.info().attributes);
  default: return CL_INVALID_VALUE;
  }
}

cl_kernel_arg_address_qualifier addressOf(const frontend::ArgumentInfo &argument) {
  switch (argument.address) {
  case frontend::AddressQualifier::Global: return CL_KERNEL_ARG_ADDRESS_GLOBAL;
  case frontend::AddressQualifier::Constant: return CL_KERNEL_ARG_ADDRESS_CONSTANT;
  case frontend::AddressQualifier::Local: return CL_KERNEL_ARG_ADDRESS_LOCAL;
  case frontend::AddressQualifier::Private: break;
  }
  return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

cl_kernel_arg_access_qualifier accessOf(const frontend::ArgumentInfo &argument) {
  switch (argument.access) {
  case frontend::AccessQualifier::ReadOnly: return CL_KERNEL_ARG_ACCESS_READ_ONLY;
  case frontend::AccessQualifier::WriteOnly: return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  case frontend::AccessQualifier::ReadWrite: return CL_KERNEL_ARG_ACCESS_READ_WRITE;
  case frontend::AccessQualifier::None: break;
  }
  return CL_KERNEL_ARG_ACCESS_NONE;
}

cl_kernel_arg_type_qualifier qualifiersOf(const frontend::ArgumentInfo &argument) {
  return (argument.is_const ? CL_KERNEL_ARG_TYPE_CONST : 0) | (argument.is_restrict ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
         (argument.is_volatile ? CL_KERNEL_ARG_TYPE_VOLATILE : 0) | (argument.is_pipe ? CL_KERNEL_ARG_TYPE_PIPE : 0);
}

cl_int argumentInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  const auto &arguments = objectOf(handle).info().arguments;
  // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index.
  if (index >= arguments.size())
    return CL_INVALID_ARG_INDEX;
  const frontend::ArgumentInfo &argument = arguments[index];
  switch (name) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER: return info.value<cl_kernel_arg_address_qualifier>(addressOf(argument));
  case CL_KERNEL_ARG_ACCESS_QUALIFIER: return info.value<cl_kernel_arg_access_qualifier>(accessOf(argument));
  case CL_KERNEL_ARG_TYPE_NAME: return info.text(argument.type_name);
  case CL_KERNEL_ARG_TYPE_QUALIFIER: return info.value<cl_kernel_arg_type_qualifier>(qualifiersOf(argument));
  case CL_KERNEL_ARG_NAME: return info.text(argument.name);
  default: return CL_INVALID_VALUE;
  }
}

// Returns the kernel's build for a device. CL_INVALID_DEVICE if device is not in the list of devices associated with
// kernel, or if device is NULL and there is more than one device associated with kernel.
Result<const KernelBuild *> findBuild(cl_kernel kernel, cl_device_id device) {
  if (cl_int code = validate(kernel))
    return Error{code};
  if (!device && objectOf(kernel).context().devices().size() == 1)
    return &objectOf(kernel).builds().front();
  const Device *known = Device::cast(device);
  const KernelBuild *build = known ? objectOf(kernel).build(*known) : nullptr;
  if (!build)
    return Error{CL_INVALID_DEVICE};
  return build;
}

// Answers with the spill size of the code that the first launch probably runs, since every launch class has its own.
// Compiles that code if necessary.
cl_int spillBytes(const KernelBuild &build, const Executable::Reporter &reporter, const InfoWriter &info) {
  std::string error;
  Executable &executable = build.executable();
  const auto code = executable.compile(build.index(), executable.likelyClass(build.index()), error, reporter);
  return code ? info.value<cl_ulong>(code->spill_bytes) : CL_OUT_OF_RESOURCES;
}

cl_int workGroupInfo(cl_kernel handle, cl_device_id device, cl_kernel_work_group_info name, const InfoWriter &info) {
  auto found = findBuild(handle, device);
  if (!found)
    return found.code();
  const KernelBuild &build = **found;
  const frontend::KernelInfo &facts = build.info();
  switch (name) {
  case CL_KERNEL_WORK_GROUP_SIZE: return info.value<size_t>(deviceProfile().max_work_group_size);
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
    const auto &size = facts.required_work_group_size;
    return info.list<size_t>(std::array<size_t, 3>{size[0], size[1], size[2]});
  }
  case CL_KERNEL_LOCAL_MEM_SIZE: return info.value<cl_ulong>(objectOf(handle).localBytes(facts.local_bytes));
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return info.value<size_t>(build.width({256, 1, 1}));
  case CL_KERNEL_PRIVATE_MEM_SIZE: return info.value<cl_ulong>(facts.private_bytes);
  case CL_KERNEL_SPILL_MEM_SIZE_INTEL: return spillBytes(build, objectOf(handle).context().reporter(), info);
  // CL_INVALID_VALUE if param_name is CL_KERNEL_GLOBAL_WORK_SIZE and kernel is not a built-in kernel.
  default: return CL_INVALID_VALUE;
  }
}

// Reads a local size that is the input of a query: one to three values of type size_t. Returns false for any other
// size.
bool readLocalSize(size_t size, const void *value, Executable::LocalSize &local_size) {
  const size_t dimensions = size / sizeof(size_t);
  if (!value || size % sizeof(size_t) != 0 || dimensions < 1 || dimensions > kMaxDimensions)
    return false;
  local_size = {1, 1, 1};
  for (size_t d = 0; d < dimensions; ++d)
    local_size[d] = static_cast<const size_t *>(value)[d];
  return true;
}

bool hasRequiredSize(const KernelBuild &kernel) {
  return kernel.info().required_work_group_size[0] != 0;
}

// Returns the largest number of sub-groups that a work-group of the kernel can have, over all local sizes.
size_t maxSubGroupCount(const KernelBuild &kernel) {
  if (hasRequiredSize(kernel))
    return kernel.subGroupCount(kernel.info().required_work_group_size);
  // Short rows get the narrowest sub-groups that the kernel may have, so most sub-groups fit into a group of short
  // rows.
  return kernel.subGroupCount({8, deviceProfile().max_work_group_size / 8, 1});
}

// Answers CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT.
cl_int writeLocalSize(const KernelBuild &kernel, size_t input_size, const void *input, const InfoWriter &info) {
  // CL_INVALID_VALUE if the size of the input is not valid or if input_value is NULL.
  if (!input || input_size != sizeof(size_t))
    return CL_INVALID_VALUE;
  const size_t size = kernel.rowOfSubGroups(*static_cast<const size_t *>(input));
  // The answer has one element for each dimension that param_value_size has room for; those after the first are 1. If
  // no size fits, all elements are 0.
  const size_t dimensions = info.target() ? info.size() / sizeof(size_t) : 1;
  if (dimensions < 1 || dimensions > kMaxDimensions)
    return CL_INVALID_VALUE;
  std::vector<size_t> result(dimensions, size == 0 ? 0 : 1);
  result[0] = size;
  return info.list<size_t>(result);
}

cl_int subGroupInfo(cl_kernel handle, cl_device_id device, cl_kernel_sub_group_info name, size_t input_size,
                    const void *input, const InfoWriter &info) {
  auto found = findBuild(handle, device);
  if (!found)
    return found.code();
  // CL_INVALID_OPERATION if device does not support sub-groups.
  if (!hasFeature("__opencl_c_subgroups"))
    return CL_INVALID_OPERATION;
  const KernelBuild &kernel = **found;
  Executable::LocalSize local_size;
  switch (name) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    if (!readLocalSize(input_size, input, local_size))
      return CL_INVALID_VALUE;
    return info.value<size_t>(kernel.width(local_size));
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
    if (!readLocalSize(input_size, input, local_size))
      return CL_INVALID_VALUE;
    return info.value<size_t>(kernel.subGroupCount(local_size));
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: return writeLocalSize(kernel, input_size, input, info);
  case CL_KERNEL_MAX_NUM_SUB_GROUPS: return info.value<size_t>(maxSubGroupCount(kernel));
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: return info.value<size_t>(kernel.info().required_sub_groups);
  case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: return info.value<size_t>(kernel.info().required_sub_group_size);
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t size, void *value,
                                                size_t *size_ret) {
  return entry([&] { return kernelInfo(kernel, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info param_name,
                                                   size_t size, void *value, size_t *size_ret) {
  return entry([&] { return argumentInfo(kernel, index, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                         cl_kernel_work_group_info param_name, size_t size, void *value,
                                                         size_t *size_ret) {
  return entry([&] { return workGroupInfo(kernel, device, param_name, InfoWriter(size, value, size_ret)); },
               param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                                        cl_kernel_sub_group_info param_name, size_t input_size,
                                                        const void *input, size_t size, void *value, size_t *size_ret) {
  return entry(
      [&] { return subGroupInfo(kernel, device, param_name, input_size, input, InfoWriter(size, value, size_ret)); },
      param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                                           cl_kernel_sub_group_info param_name, size_t input_size,
                                                           const void *input, size_t size, void *value,
                                                           size_t *size_ret) {
  return clGetKernelSubGroupInfo(kernel, device, param_name, input_size, input, size, value, size_ret);
}
