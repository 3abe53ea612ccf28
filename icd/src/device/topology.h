// Which processors share which memory and caches, as the operating system tells it.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace lanecl::icd {

using Processors = std::vector<unsigned>; // by the system's numbers

// Outermost first, which is the order in which the specification looks for the next partitionable one.
enum class AffinityDomain { Numa, L4, L3, L2, L1 };
inline constexpr std::array kAffinityDomains{AffinityDomain::Numa, AffinityDomain::L4, AffinityDomain::L3,
                                             AffinityDomain::L2, AffinityDomain::L1};

class Topology {
public:
  explicit Topology(std::string system_directory) : directory_(std::move(system_directory)) {}
  static const Topology &ofMachine();

  // The groups of `processors` that share a domain, in their order. A single group when the domain does not tell them
  // apart, or when the system does not know about each of them.
  std::vector<Processors> split(const Processors &processors, AffinityDomain domain) const;

  // Neighbours next to each other: those that share an inner domain stand together inside an outer one.
  Processors sorted(const Processors &processors) const;

private:
  // Names of a processor's groups, by domain; empty where there is none.
  using Groups = std::array<std::string, kAffinityDomains.size()>;
  const Groups &groupsOf(unsigned processor) const;
  Groups read(unsigned processor) const;

  std::string directory_;
  mutable std::mutex mutex_;
  mutable std::map<unsigned, Groups> known_; // only grows
};

// Those this process may use; empty when the system does not say.
Processors availableProcessors();

} // namespace lanecl::icd
