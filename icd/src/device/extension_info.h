// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The answers of clGetDeviceInfo about extensions of the host interface.
#pragma once

#include "api/info.h"
#include "device/device.h"
#include "icd/command_buffer_api.h"

#include <optional>

namespace lanecl::icd {

// The properties that a queue may have to run command buffers. None of them is required.
inline constexpr cl_command_queue_properties kCommandBufferQueueProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

// The parts of a recorded kernel launch that clUpdateMutableCommandsKHR may change.
inline constexpr cl_mutable_dispatch_fields_khr kUpdatableFields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

// Each of these answers the queries of one extension. It returns the error code, or nothing if the query is not one of
// that extension or the device does not have the extension.
std::optional<cl_int> commandBufferInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> spirvInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> unifiedSharedMemoryInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> unifiedSvmInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> externalMemoryInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> semaphoreInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> gpuAttributes(Device &device, cl_device_info name, const InfoWriter &info);

} // namespace lanecl::icd
