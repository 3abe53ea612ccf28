// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declares cl_khr_command_buffer 0.9.8, cl_khr_command_buffer_mutable_dispatch 0.9.5 and
// cl_khr_command_buffer_multi_device 0.9.2 as programs call them. These extensions are provisional: signatures have
// changed from version to version, and the system's headers may be of any version. The functions therefore have a
// namespace of their own, where no prototype of another version contradicts them, and the constants that a header may
// lack are defined here. Newer headers declare the extensions only with CL_ENABLE_BETA_EXTENSIONS. Errors are those of
// the extensions' specifications.
#pragma once

#include <CL/cl_ext.h>

#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
#ifndef CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#endif
#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#endif
#ifndef CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif

namespace lanecl::command_buffer {

// Types that other versions of the extensions have under another name, or with other members.
using CommandProperties = cl_properties;  // cl_command_properties_khr
using UpdateType = cl_uint;               // cl_command_buffer_update_type_khr
using Asserts = cl_bitfield;              // cl_mutable_dispatch_asserts_khr
using PlatformCapabilities = cl_bitfield; // cl_platform_command_buffer_capabilities_khr

inline constexpr UpdateType kDispatchConfig = 0; // CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR

struct DispatchConfig { // cl_mutable_dispatch_config_khr
  cl_mutable_command_khr command = nullptr;
  cl_uint num_args = 0;
  cl_uint num_svm_args = 0;
  cl_uint num_exec_infos = 0;
  cl_uint work_dim = 0;
  const cl_mutable_dispatch_arg_khr *arg_list = nullptr;
  const cl_mutable_dispatch_arg_khr *arg_svm_list = nullptr;
  const cl_mutable_dispatch_exec_info_khr *exec_info_list = nullptr;
  const size_t *global_work_offset = nullptr;
  const size_t *global_work_size = nullptr;
  const size_t *local_work_size = nullptr;
};

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                                           const cl_command_buffer_properties_khr *properties,
                                                           cl_int *errcode_ret);
cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                             cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                             cl_command_buffer_info_khr param_name, size_t param_value_size,
                                             void *param_value, size_t *param_value_size_ret);

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                                   const CommandProperties *properties, cl_uint num_sync_points,
                                                   const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                                   cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                          const CommandProperties *properties, cl_mem src_buffer, cl_mem dst_buffer,
                                          size_t src_offset, size_t dst_offset, size_t size, cl_uint num_sync_points,
                                          const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                          cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandCopyBufferRectKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                              const CommandProperties *properties, cl_mem src_buffer, cl_mem dst_buffer,
                                              const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                              size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                              size_t dst_slice_pitch, cl_uint num_sync_points,
                                              const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                              cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandCopyBufferToImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                                 const CommandProperties *properties, cl_mem src_buffer,
                                                 cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
                                                 const size_t *region, cl_uint num_sync_points,
                                                 const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                                 cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandCopyImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                         const CommandProperties *properties, cl_mem src_image, cl_mem dst_image,
                                         const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                         cl_uint num_sync_points, const cl_sync_point_khr *sync_points,
                                         cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandCopyImageToBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                                 const CommandProperties *properties, cl_mem src_image,
                                                 cl_mem dst_buffer, const size_t *src_origin, const size_t *region,
                                                 size_t dst_offset, cl_uint num_sync_points,
                                                 const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                                 cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                          const CommandProperties *properties, cl_mem buffer, const void *pattern,
                                          size_t pattern_size, size_t offset, size_t size, cl_uint num_sync_points,
                                          const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                          cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                         const CommandProperties *properties, cl_mem image, const void *fill_color,
                                         const size_t *origin, const size_t *region, cl_uint num_sync_points,
                                         const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                         cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandSVMMemcpyKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                         const CommandProperties *properties, void *dst_ptr, const void *src_ptr,
                                         size_t size, cl_uint num_sync_points, const cl_sync_point_khr *sync_points,
                                         cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandSVMMemFillKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                          const CommandProperties *properties, void *svm_ptr, const void *pattern,
                                          size_t pattern_size, size_t size, cl_uint num_sync_points,
                                          const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                          cl_mutable_command_khr *mutable_handle);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                             const CommandProperties *properties, cl_kernel kernel, cl_uint work_dim,
                                             const size_t *global_work_offset, const size_t *global_work_size,
                                             const size_t *local_work_size, cl_uint num_sync_points,
                                             const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
                                             cl_mutable_command_khr *mutable_handle);

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                              const UpdateType *config_types, const void **configs);
cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void *param_value, size_t *param_value_size_ret);

cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(cl_command_buffer_khr command_buffer, cl_bool automatic,
                                                          cl_uint num_queues, const cl_command_queue *queues,
                                                          cl_uint num_handles, const cl_mutable_command_khr *handles,
                                                          cl_mutable_command_khr *handles_ret, cl_int *errcode_ret);

} // namespace lanecl::command_buffer
