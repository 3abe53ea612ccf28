// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Partitions a device into sub-devices (section 4.3 of the OpenCL specification). It depends on nothing but its
// parameters, so tests can give it any machine.
#pragma once

#include "api/result.h"
#include "device/topology.h"

#include <CL/cl.h>

namespace lanecl::icd {

// The compute units of a device or sub-device.
struct ComputeUnits {
  unsigned count = 0;
  Processors processors; // one for each unit; empty: units are threads that the system places
};

// A finished partition.
struct Partition {
  std::vector<ComputeUnits> parts;
  std::vector<cl_device_partition_property> type; // CL_DEVICE_PARTITION_TYPE of the sub-devices
};

// Return the answers to CL_DEVICE_PARTITION_MAX_SUB_DEVICES, CL_DEVICE_PARTITION_PROPERTIES and
// CL_DEVICE_PARTITION_AFFINITY_DOMAIN. They name a scheme only if it makes at least two sub-devices.
unsigned maxSubDevices(const ComputeUnits &units);
std::vector<cl_device_partition_property> partitionSchemes(const ComputeUnits &units, const Topology &topology);
cl_device_affinity_domain affinityDomains(const ComputeUnits &units, const Topology &topology);

// Returns the partition that clCreateSubDevices makes of `units`, or its error code. `units` are some or all of the
// root device's units.
Result<Partition> partition(const ComputeUnits &units, const ComputeUnits &root, const Topology &topology,
                            const cl_device_partition_property *properties);

} // namespace lanecl::icd
