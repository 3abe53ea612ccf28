// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-devices of machines other than this one.
#include "device/partition.h"

#include <catch2/catch.hpp>

using namespace lanecl::icd;

namespace {

using Property = cl_device_partition_property;

// Two nodes of two cores with two threads each. They are numbered as systems often do it: 0 and 4 are one core.
const Topology &twoNodes() {
  static const Topology topology("numa:2 l3:1 l2:2 l1:1 core:1 pu:2(indexes=0,4,1,5,2,6,3,7)");
  return topology;
}

ComputeUnits units(Processors processors) {
  const auto count = unsigned(processors.size());
  return {count, std::move(processors)};
}

std::vector<Processors> processorsOf(const std::vector<ComputeUnits> &parts) {
  std::vector<Processors> result;
  for (const ComputeUnits &part : parts) {
    CHECK(part.count == part.processors.size());
    result.push_back(part.processors);
  }
  return result;
}

using Parts = std::vector<Processors>;
using Type = std::vector<Property>;
const Processors kAll{0, 1, 2, 3, 4, 5, 6, 7};

} // namespace

TEST_CASE("processors that share caches are next to each other") {
  CHECK(twoNodes().sorted(kAll) == Processors{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(twoNodes().sorted({6, 5, 3, 1}) == Processors{6, 3, 5, 1});
}

TEST_CASE("a machine is divided by its nodes and caches") {
  const Topology &topology = twoNodes();
  const ComputeUnits root = units(kAll);
  CHECK(affinityDomains(root, topology) ==
        (CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE |
         CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE));
  const auto split = [&](const ComputeUnits &device, Property domain) {
    const Property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain, 0};
    return partition(device, root, topology, properties);
  };
  auto nodes = split(root, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
  REQUIRE(nodes);
  CHECK(nodes->type == Type{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0});
  CHECK(processorsOf(nodes->parts) == Parts{{0, 1, 4, 5}, {2, 3, 6, 7}});

  // A node has only one L3 cache, so the next domain is L2.
  const ComputeUnits &node = nodes->parts[1];
  CHECK(affinityDomains(node, topology) == (CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE |
                                            CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE));
  auto cores = split(node, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
  REQUIRE(cores);
  CHECK(cores->type == Type{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 0});
  CHECK(processorsOf(cores->parts) == Parts{{2, 6}, {3, 7}});
  CHECK(split(node, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE).code() == CL_DEVICE_PARTITION_FAILED);

  // The two threads of a core share everything.
  const ComputeUnits &core = cores->parts[0];
  CHECK(affinityDomains(core, topology) == 0);
  CHECK(partitionSchemes(core, topology) == Type{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS});
  CHECK(split(core, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE).code() == CL_DEVICE_PARTITION_FAILED);

  // There is no L4 cache in the machine.
  CHECK(split(root, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE).code() == CL_INVALID_VALUE);
  CHECK(split(root, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE).code() ==
        CL_INVALID_VALUE);
  CHECK(split(root, 0).code() == CL_INVALID_VALUE);
}

TEST_CASE("parts of given sizes consist of neighboring processors") {
  const Topology &topology = twoNodes();
  const ComputeUnits root = units(kAll);
  const Property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 3, 0};
  auto thirds = partition(root, root, topology, equally);
  REQUIRE(thirds);
  CHECK(processorsOf(thirds->parts) == Parts{{0, 4, 1}, {5, 2, 6}}); // two are left over
  CHECK(thirds->type == Type{CL_DEVICE_PARTITION_EQUALLY, 3, 0});

  const Property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 4, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  auto uneven = partition(root, root, topology, counts);
  REQUIRE(uneven);
  CHECK(processorsOf(uneven->parts) == Parts{{0}, {4, 1, 5, 2}});
  CHECK(uneven->type == Type{CL_DEVICE_PARTITION_BY_COUNTS, 1, 4, 0, 0});
}

TEST_CASE("threads without processors of their own are divided only by number") {
  const Topology &topology = twoNodes();
  const ComputeUnits root{5, {}};
  CHECK(affinityDomains(root, topology) == 0);
  CHECK(partitionSchemes(root, topology) == Type{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS});
  const Property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
  auto parts = partition(root, root, topology, equally);
  REQUIRE(parts);
  REQUIRE(parts->parts.size() == 2);
  CHECK(parts->parts[0].count == 2);
  CHECK(parts->parts[0].processors.empty());
  const Property numa[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
  CHECK(partition(root, root, topology, numa).code() == CL_INVALID_VALUE);
}

TEST_CASE("a domain counts only if the system knows it for every processor") {
  const Topology topology = twoNodes();
  CHECK((affinityDomains(units(kAll), topology) & CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE) == 0);
  CHECK(affinityDomains(units({0, 1, 20}), topology) == 0);
  CHECK(topology.sorted({20, 1, 0}) == Processors{20, 1, 0});
}

TEST_CASE("partitions refuse what the specification refuses") {
  const Topology &topology = twoNodes();
  const ComputeUnits root = units(kAll), one = units({3});
  const auto code = [&](const ComputeUnits &device, std::vector<Property> properties) {
    return partition(device, root, topology, properties.data()).code();
  };
  CHECK(partition(root, root, topology, nullptr).code() == CL_INVALID_VALUE);
  CHECK(code(root, {0}) == CL_INVALID_VALUE);
  CHECK(code(root, {0x1000, 1, 0}) == CL_INVALID_VALUE);
  CHECK(code(root, {CL_DEVICE_PARTITION_EQUALLY, 0, 0}) == CL_INVALID_VALUE);
  CHECK(code(root, {CL_DEVICE_PARTITION_EQUALLY, -1, 0}) == CL_INVALID_VALUE);
  CHECK(code(root, {CL_DEVICE_PARTITION_EQUALLY, 2, CL_DEVICE_PARTITION_EQUALLY, 2, 0}) == CL_INVALID_VALUE);
  CHECK(code(root, {CL_DEVICE_PARTITION_EQUALLY, 9, 0}) == CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(code(root, {CL_DEVICE_PARTITION_EQUALLY, 8, 0}) == CL_DEVICE_PARTITION_FAILED);
  CHECK(code(root, {CL_DEVICE_PARTITION_EQUALLY, 7, 0}) == CL_SUCCESS); // one smaller device
  CHECK(code(root, {CL_DEVICE_PARTITION_BY_COUNTS, 0, 0}) == CL_INVALID_VALUE);
  CHECK(code(root, {CL_DEVICE_PARTITION_BY_COUNTS, 4, 5, 0, 0}) == CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(code(root, {CL_DEVICE_PARTITION_BY_COUNTS, 4, -1, 0, 0}) == CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(code(root, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}) ==
        CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(code(one, {CL_DEVICE_PARTITION_EQUALLY, 1, 0}) == CL_DEVICE_PARTITION_FAILED);
  CHECK(code(one, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}) == CL_DEVICE_PARTITION_FAILED);
  CHECK(partitionSchemes(one, topology) == Type{0});
  CHECK(maxSubDevices(one) == 0);
  CHECK(maxSubDevices(root) == 8);
  // A machine with one processor has no partition schemes.
  const Property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  CHECK(partition(one, one, topology, equally).code() == CL_INVALID_VALUE);
}
