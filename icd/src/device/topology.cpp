#include "device/topology.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <sched.h>

namespace lanecl::icd {
namespace {

std::string firstLine(const std::string &path) {
  std::string line;
  std::getline(std::ifstream(path), line);
  return line;
}

std::optional<AffinityDomain> domainOfCache(const std::string &level) {
  if (level == "4")
    return AffinityDomain::L4;
  if (level == "3")
    return AffinityDomain::L3;
  if (level == "2")
    return AffinityDomain::L2;
  return level == "1" ? std::optional(AffinityDomain::L1) : std::nullopt;
}

} // namespace

const Topology &Topology::ofMachine() {
  static const Topology &instance = *new Topology("/sys/devices/system");
  return instance;
}

Topology::Groups Topology::read(unsigned processor) const {
  const std::string folder = directory_ + "/cpu/cpu" + std::to_string(processor);
  Groups groups;
  std::error_code none;
  // A link names the processor's node.
  for (const auto &entry : std::filesystem::directory_iterator(folder, none))
    if (const std::string name = entry.path().filename(); name.starts_with("node"))
      groups[size_t(AffinityDomain::Numa)] = name;
  for (const auto &entry : std::filesystem::directory_iterator(folder + "/cache", none)) {
    const std::string cache = entry.path(), type = firstLine(cache + "/type");
    if (type != "Data" && type != "Unified")
      continue;
    // All processors of a cache name the same ones.
    if (const std::optional<AffinityDomain> domain = domainOfCache(firstLine(cache + "/level")))
      groups[size_t(*domain)] = firstLine(cache + "/shared_cpu_list");
  }
  return groups;
}

const Topology::Groups &Topology::groupsOf(unsigned processor) const {
  const std::lock_guard lock(mutex_);
  const auto place = known_.find(processor);
  return place != known_.end() ? place->second : known_.emplace(processor, read(processor)).first->second;
}

std::vector<Processors> Topology::split(const Processors &processors, AffinityDomain domain) const {
  std::vector<Processors> groups;
  std::map<std::string, size_t> known;
  for (unsigned processor : processors) {
    const std::string &name = groupsOf(processor)[size_t(domain)];
    if (name.empty())
      return {processors};
    const auto [place, is_new] = known.emplace(name, groups.size());
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

Processors availableProcessors() {
  constexpr size_t kMost = size_t(1) << 16;
  for (size_t count = 1024; count <= kMost; count *= 2) {
    cpu_set_t *set = CPU_ALLOC(count);
    const size_t bytes = CPU_ALLOC_SIZE(count);
    Processors result;
    const bool known = set && sched_getaffinity(0, bytes, set) == 0; // fails when the set is too small for the system
    for (unsigned i = 0; known && i < count; ++i)
      if (CPU_ISSET_S(i, bytes, set))
        result.push_back(i);
    CPU_FREE(set);
    if (known)
      return result;
  }
  return {};
}

} // namespace lanecl::icd
