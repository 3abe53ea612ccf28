// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clCreateSubDevices, clRetainDevice and clReleaseDevice. partition.cpp decides which sub-devices there are.
#include "api/entry.h"
#include "device/device.h"
#include "icd/profile.h"

namespace lanecl::icd {
namespace {

cl_int createSubDevices(cl_device_id handle, const cl_device_partition_property *properties, cl_uint num_devices,
                        cl_device_id *out_devices, cl_uint *num_devices_ret) {
  if (cl_int code = validate(handle))
    return code;
  // CL_DEVICE_PARTITION_FAILED if the partition name is supported by the implementation but in_device could not be
  // further partitioned.
  if (!deviceProfile().has_sub_devices)
    return CL_DEVICE_PARTITION_FAILED;
  Device &device = objectOf(handle);
  auto planned = partition(device.units(), Device::root().units(), Topology::ofMachine(), properties);
  if (!planned)
    return planned.code();
  const size_t count = planned->parts.size();
  // CL_INVALID_VALUE if out_devices is not NULL and num_devices is less than the number of sub-devices created by the
  // partition scheme.
  if (out_devices && num_devices < count)
    return CL_INVALID_VALUE;
  if (out_devices) {
    std::vector<Ref<Device>> made;
    for (ComputeUnits &part : planned->parts)
      made.push_back(make<Device>(device, std::move(part), planned->type));
    for (size_t i = 0; i < count; ++i)
      out_devices[i] = made[i].detach()->handle();
  }
  if (num_devices_ret)
    *num_devices_ret = cl_uint(count);
  return CL_SUCCESS;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                                                   cl_uint num_devices, cl_device_id *out_devices,
                                                   cl_uint *num_devices_ret) {
  return entry([&] { return createSubDevices(device, properties, num_devices, out_devices, num_devices_ret); });
}

// By the specification the reference count of a root device remains unchanged.
CL_API_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  return entry([&] {
    const Device *known = Device::cast(device);
    return known && !known->parent() ? cl_int(CL_SUCCESS) : retain(device);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  return entry([&] {
    const Device *known = Device::cast(device);
    return known && !known->parent() ? cl_int(CL_SUCCESS) : release(device);
  });
}
