// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The schemes by which clCreateSubDevices partitions a device, and their error codes.
#include "device/partition.h"

#include <cassert>
#include <optional>
#include <span>

namespace lanecl::icd {
namespace {

using Property = cl_device_partition_property;

cl_device_affinity_domain bitOf(AffinityDomain domain) {
  switch (domain) {
  case AffinityDomain::Numa: return CL_DEVICE_AFFINITY_DOMAIN_NUMA;
  case AffinityDomain::L4: return CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE;
  case AffinityDomain::L3: return CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE;
  case AffinityDomain::L2: return CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE;
  case AffinityDomain::L1: return CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE;
  }
  return 0;
}

// Whether the units are in at least two groups of that domain.
bool divides(AffinityDomain domain, const ComputeUnits &units, const Topology &topology) {
  return topology.split(units.processors, domain).size() >= 2;
}

// Splits the compute units into groups of the sizes `counts`, such that neighbors are in one group. Units that are left
// over belong to no group.
std::vector<ComputeUnits> cut(const ComputeUnits &units, const Topology &topology, std::span<const unsigned> counts) {
  std::vector<ComputeUnits> parts;
  const Processors processors = topology.sorted(units.processors);
  auto next = processors.begin();
  for (unsigned count : counts) {
    ComputeUnits &part = parts.emplace_back(ComputeUnits{count, {}});
    if (processors.empty())
      continue;
    assert(size_t(processors.end() - next) >= count && "the parts have more units than the device");
    part.processors.assign(next, next + count);
    next += count;
  }
  return parts;
}

// CL_DEVICE_PARTITION_EQUALLY: as many sub-devices of `each` units as there are.
Result<Partition> equally(const ComputeUnits &units, const Topology &topology, const Property *properties) {
  const Property each = properties[1];
  // CL_INVALID_VALUE if values specified in properties are not valid. Only one scheme can be specified.
  if (each <= 0 || properties[2] != 0)
    return Error{CL_INVALID_VALUE};
  // CL_INVALID_DEVICE_PARTITION_COUNT if the total number of compute units requested exceeds
  // CL_DEVICE_MAX_COMPUTE_UNITS for in_device.
  if (each > Property(units.count))
    return Error{CL_INVALID_DEVICE_PARTITION_COUNT};
  // CL_DEVICE_PARTITION_FAILED if in_device could not be further partitioned: the parts are smaller devices.
  if (each == Property(units.count))
    return Error{CL_DEVICE_PARTITION_FAILED};
  const std::vector<unsigned> counts(units.count / unsigned(each), unsigned(each));
  return Partition{cut(units, topology, counts), {CL_DEVICE_PARTITION_EQUALLY, each, 0}};
}

// CL_DEVICE_PARTITION_BY_COUNTS: one sub-device for each count in the list.
Result<Partition> byCounts(const ComputeUnits &units, const Topology &topology, const Property *properties) {
  if (properties[1] == CL_DEVICE_PARTITION_BY_COUNTS_LIST_END)
    return Error{CL_INVALID_VALUE};
  if (units.count < 2)
    return Error{CL_DEVICE_PARTITION_FAILED};
  std::vector<unsigned> counts;
  std::vector<Property> type{CL_DEVICE_PARTITION_BY_COUNTS};
  Property free = units.count;
  for (const Property *count = properties + 1; *count != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++count) {
    // CL_INVALID_DEVICE_PARTITION_COUNT if the number of sub-devices requested exceeds
    // CL_DEVICE_PARTITION_MAX_SUB_DEVICES, if the total number of compute units requested exceeds
    // CL_DEVICE_MAX_COMPUTE_UNITS, or if one is less than zero. Each sub-device has at least one unit, so the check of
    // the total covers the number of sub-devices.
    if (*count < 0 || *count > free)
      return Error{CL_INVALID_DEVICE_PARTITION_COUNT};
    free -= *count;
    counts.push_back(unsigned(*count));
    type.push_back(*count);
  }
  type.insert(type.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  return Partition{cut(units, topology, counts), std::move(type)};
}

// Returns the outermost domain by which the units can be split.
std::optional<AffinityDomain> nextPartitionable(const ComputeUnits &units, const Topology &topology) {
  for (AffinityDomain domain : kAffinityDomains)
    if (divides(domain, units, topology))
      return domain;
  return std::nullopt;
}

// Returns the domain that the property names, if the units can be split by it.
std::optional<AffinityDomain> requested(Property property, const ComputeUnits &units, const Topology &topology) {
  if (property == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
    return nextPartitionable(units, topology);
  for (AffinityDomain domain : kAffinityDomains)
    if (property == Property(bitOf(domain)) && divides(domain, units, topology))
      return domain;
  return std::nullopt;
}

// CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: one sub-device for each group of processors that share the domain.
Result<Partition> byAffinityDomain(const ComputeUnits &units, const ComputeUnits &root, const Topology &topology,
                                   const Property *properties) {
  // CL_INVALID_VALUE if values specified in properties are not valid, or are not supported. A domain that does not
  // split the root device splits no sub-device either, so it counts as not supported.
  if (properties[1] == 0 || properties[2] != 0 || !requested(properties[1], root, topology))
    return Error{CL_INVALID_VALUE};
  const auto domain = requested(properties[1], units, topology);
  if (!domain)
    return Error{CL_DEVICE_PARTITION_FAILED};
  Partition result{{}, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, Property(bitOf(*domain)), 0}};
  for (Processors &part : topology.split(units.processors, *domain)) {
    const auto count = unsigned(part.size());
    result.parts.push_back({count, std::move(part)});
  }
  return result;
}

} // namespace

unsigned maxSubDevices(const ComputeUnits &units) {
  return units.count < 2 ? 0 : units.count;
}

std::vector<Property> partitionSchemes(const ComputeUnits &units, const Topology &topology) {
  // If the device cannot be partitioned, a value of 0 is returned.
  if (units.count < 2)
    return {0};
  std::vector<Property> schemes{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (nextPartitionable(units, topology))
    schemes.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return schemes;
}

cl_device_affinity_domain affinityDomains(const ComputeUnits &units, const Topology &topology) {
  cl_device_affinity_domain result = 0;
  for (AffinityDomain domain : kAffinityDomains)
    if (divides(domain, units, topology))
      result |= bitOf(domain) | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  return result;
}

Result<Partition> partition(const ComputeUnits &units, const ComputeUnits &root, const Topology &topology,
                            const Property *properties) {
  // CL_INVALID_VALUE if values specified in properties are not valid, or are not supported by in_device.
  if (!properties || root.count < 2)
    return Error{CL_INVALID_VALUE};
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_EQUALLY: return equally(units, topology, properties);
  case CL_DEVICE_PARTITION_BY_COUNTS: return byCounts(units, topology, properties);
  case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: return byAffinityDomain(units, root, topology, properties);
  default: return Error{CL_INVALID_VALUE};
  }
}

} // namespace lanecl::icd
