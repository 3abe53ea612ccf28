// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How a device is partitioned into sub-devices.
#pragma once

#include "api/result.h"
#include "device/topology.h"

#include <CL/cl.h>

namespace lanecl::icd {

struct ComputeUnits {
  unsigned count = 0;
  Processors processors; // as many; empty: threads are compute units, and the system places them
};

struct Partition {
  std::vector<ComputeUnits> parts;
  std::vector<cl_device_partition_property> type; // CL_DEVICE_PARTITION_TYPE of the sub-devices
};

// The answers to CL_DEVICE_PARTITION_MAX_SUB_DEVICES, _PROPERTIES and _AFFINITY_DOMAIN. A scheme counts when it makes
// at least two sub-devices.
unsigned maxSubDevices(const ComputeUnits &units);
std::vector<cl_device_partition_property> partitionSchemes(const ComputeUnits &units, const Topology &topology);
cl_device_affinity_domain affinityDomains(const ComputeUnits &units, const Topology &topology);

// What clCreateSubDevices makes of `units`, which are some of the root device's.
Result<Partition> partition(const ComputeUnits &units, const ComputeUnits &root, const Topology &topology,
                            const cl_device_partition_property *properties);

} // namespace lanecl::icd
