// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals which processors share memory nodes and caches, according to hwloc.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct hwloc_topology;

namespace lanecl::icd {

using Processors = std::vector<unsigned>; // the operating system's numbers of processors

// The affinity domains, outermost first. The specification looks for the next partitionable domain in this order.
enum class AffinityDomain { Numa, L4, L3, L2, L1 };
inline constexpr std::array kAffinityDomains{AffinityDomain::Numa, AffinityDomain::L4, AffinityDomain::L3,
                                             AffinityDomain::L2, AffinityDomain::L1};

class Topology {
public:
  // Makes the topology of a machine that hwloc's synthetic description defines, for tests.
  explicit Topology(const std::string &description);
  // Returns the topology of this machine.
  static const Topology &ofMachine();

  // Splits `processors` into groups that share a domain, and keeps their order within each group. Returns a single
  // group if all share the domain, or if the domain of one of them is not known.
  std::vector<Processors> split(const Processors &processors, AffinityDomain domain) const;

  // Returns the processors in an order in which those that share a domain are adjacent, for all domains at once.
  Processors sorted(const Processors &processors) const;

private:
  explicit Topology(const std::string *description); // null: this machine

  // Returns the number of the group that the processor belongs to, or nothing if it is not known.
  std::optional<unsigned> groupOf(unsigned processor, AffinityDomain domain) const;

  std::shared_ptr<hwloc_topology> topology_; // null: hwloc has failed, and nothing is known
};

} // namespace lanecl::icd
