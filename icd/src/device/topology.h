// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which processors share which memory and caches, according to hwloc.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct hwloc_topology;

namespace lanecl::icd {

using Processors = std::vector<unsigned>; // by the system's numbers

// Outermost first, which is the order in which the specification looks for the next partitionable one.
enum class AffinityDomain { Numa, L4, L3, L2, L1 };
inline constexpr std::array kAffinityDomains{AffinityDomain::Numa, AffinityDomain::L4, AffinityDomain::L3,
                                             AffinityDomain::L2, AffinityDomain::L1};

class Topology {
public:
  // Of a machine given by a synthetic description of hwloc.
  explicit Topology(const std::string &description);
  static const Topology &ofMachine();

  // The groups of `processors` that share a domain, in their order. A single group when all share the domain, or when
  // it is not known for each of them.
  std::vector<Processors> split(const Processors &processors, AffinityDomain domain) const;

  // With neighbours next to each other: processors of an inner domain are adjacent within the outer one.
  Processors sorted(const Processors &processors) const;

private:
  explicit Topology(const std::string *description); // null: of this machine

  // The number of the processor's group; none where it is not known.
  std::optional<unsigned> groupOf(unsigned processor, AffinityDomain domain) const;

  std::shared_ptr<hwloc_topology> topology_; // null: nothing is known
};

} // namespace lanecl::icd
