// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names of the OpenCL headers that the ones of the distribution are too old for.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
using cl_device_kernel_clock_capabilities_khr = cl_bitfield;
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
using cl_device_fp_atomic_capabilities_ext = cl_bitfield;
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT (1 << 18)
#endif

#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
using cl_mem_device_address_ext = cl_ulong;
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
extern "C" CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                                          cl_mem_device_address_ext arg_value);
#endif

// Of OpenCL 3.1.
#ifndef CL_DEVICE_MAX_WORK_GROUP_SIZES
#define CL_DEVICE_MAX_WORK_GROUP_SIZES CL_DEVICE_MAX_WORK_ITEM_SIZES
#define CL_LUID_SIZE CL_LUID_SIZE_KHR
#define CL_DEVICE_UUID CL_DEVICE_UUID_KHR
#define CL_DRIVER_UUID CL_DRIVER_UUID_KHR
#define CL_DEVICE_LUID_VALID CL_DEVICE_LUID_VALID_KHR
#define CL_DEVICE_LUID CL_DEVICE_LUID_KHR
#define CL_DEVICE_NODE_MASK CL_DEVICE_NODE_MASK_KHR
using cl_device_integer_dot_product_capabilities = cl_device_integer_dot_product_capabilities_khr;
using cl_device_integer_dot_product_acceleration_properties = cl_device_integer_dot_product_acceleration_properties_khr;
#define CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT                                                     \
  CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED                                            \
  CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES 0x12BB
extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                                                             cl_uint dimensions, const size_t *offset,
                                                                             const size_t *global, size_t *suggested);
#endif
