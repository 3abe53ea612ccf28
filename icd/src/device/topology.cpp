// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Asks hwloc for NUMA nodes and caches.
#include "device/topology.h"

#include "settings/made_once.h"

#include <map>

#include <hwloc.h>

namespace lanecl::icd {
namespace {

std::shared_ptr<hwloc_topology> load(const std::string *description) {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0)
    return nullptr;
  std::shared_ptr<hwloc_topology> result(topology, hwloc_topology_destroy);
  // hwloc's OpenCL component would call the OpenCL loader, and thereby this library from within itself.
  hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "opencl");
  const bool known = !description || hwloc_topology_set_synthetic(topology, description->c_str()) == 0;
  return known && hwloc_topology_load(topology) == 0 ? result : nullptr;
}

hwloc_obj_type_t cacheOf(AffinityDomain domain) {
  switch (domain) {
  case AffinityDomain::L4: return HWLOC_OBJ_L4CACHE;
  case AffinityDomain::L3: return HWLOC_OBJ_L3CACHE;
  case AffinityDomain::L2: return HWLOC_OBJ_L2CACHE;
  default: return HWLOC_OBJ_L1CACHE;
  }
}

} // namespace

Topology::Topology(const std::string &description) : Topology(&description) {}

Topology::Topology(const std::string *description) : topology_(load(description)) {}

const Topology &Topology::ofMachine() {
  static constinit MadeOnce<Topology> machine;
  return machine.get([] { return Topology(nullptr); });
}

std::optional<unsigned> Topology::groupOf(unsigned processor, AffinityDomain domain) const {
  const hwloc_obj_t unit = topology_ ? hwloc_get_pu_obj_by_os_index(topology_.get(), processor) : nullptr;
  if (!unit)
    return std::nullopt;
  if (domain == AffinityDomain::Numa) {
    const int node = hwloc_bitmap_first(unit->nodeset);
    return node >= 0 ? std::optional(unsigned(node)) : std::nullopt;
  }
  const hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(topology_.get(), cacheOf(domain), unit);
  return cache ? std::optional(cache->logical_index) : std::nullopt;
}

std::vector<Processors> Topology::split(const Processors &processors, AffinityDomain domain) const {
  std::vector<Processors> groups;
  std::map<unsigned, size_t> known;
  for (unsigned processor : processors) {
    const std::optional<unsigned> group = groupOf(processor, domain);
    if (!group)
      return {processors};
    const auto [place, is_new] = known.emplace(*group, groups.size());
    if (is_new)
      groups.emplace_back();
    groups[place->second].push_back(processor);
  }
  return groups;
}

Processors Topology::sorted(const Processors &processors) const {
  std::vector<Processors> groups{processors};
  for (AffinityDomain domain : kAffinityDomains) {
    std::vector<Processors> finer;
    for (const Processors &group : groups)
      for (Processors &part : split(group, domain))
        finer.push_back(std::move(part));
    groups = std::move(finer);
  }
  Processors result;
  for (const Processors &group : groups)
    result.insert(result.end(), group.begin(), group.end());
  return result;
}

} // namespace lanecl::icd
