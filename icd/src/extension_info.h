// What clGetDeviceInfo says of extensions of the host interface.
#pragma once

#include "device.h"
#include "info.h"

#include <optional>

namespace lanecl::icd {

// Nothing: not such a query, or of an extension that the device does not offer.
std::optional<cl_int> commandBufferInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> spirvInfo(Device &device, cl_device_info name, const InfoWriter &info);
std::optional<cl_int> unifiedSharedMemoryInfo(Device &device, cl_device_info name, const InfoWriter &info);

} // namespace lanecl::icd
