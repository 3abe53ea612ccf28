// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults/nearest_memory.h"

#include "memory/memory_object.h"

namespace lanecl::icd {
namespace {

// Keeps the memory nearest to an address, of all that it is shown. Of several equally near ones the first counts.
class Nearest {
public:
  explicit Nearest(uintptr_t address) : address(address) {}

  void consider(const char *what, const void *begin, uint64_t bytes) {
    const NearMemory candidate{what, reinterpret_cast<uintptr_t>(begin), bytes};
    if (begin == nullptr || bytes == 0 || (found && found->distance(address) <= candidate.distance(address)))
      return;
    found = candidate;
  }

  // Considers LaneCL's own memory, which lies somewhere among the program's. It counts only within 1 MiB, because a
  // distant address has nothing to do with it.
  void considerNear(const char *what, const void *begin, uint64_t bytes) {
    constexpr uint64_t kNear = uint64_t(1) << 20;
    if (NearMemory{what, reinterpret_cast<uintptr_t>(begin), bytes}.distance(address) <= kNear)
      consider(what, begin, bytes);
  }

  std::optional<NearMemory> found;

private:
  const uintptr_t address;
};

const char *kindOf(const Memory &memory) {
  if (memory.image())
    return "an image";
  if (memory.pipe())
    return "a pipe";
  return memory.parent() ? "a sub-buffer" : "a buffer";
}

const char *kindOf(cl_unified_shared_memory_type_intel type) {
  switch (type) {
  case CL_MEM_TYPE_HOST_INTEL: return "USM host memory";
  case CL_MEM_TYPE_DEVICE_INTEL: return "USM device memory";
  default: return "USM shared memory";
  }
}

template <class Objects, class Visit> void forEach(Objects &objects, Locks locks, const Visit &visit) {
  if (locks == Locks::Wait)
    objects.forEach(visit);
  else
    objects.tryForEach(visit);
}

void considerContext(Context &context, Locks locks, Nearest &nearest) {
  // Whole buffers come before sub-buffers. If a buffer and a sub-buffer end at the same address, the buffer is named.
  for (const bool parts : {false, true})
    forEach(context.liveMemory(), locks, [&](const Memory &memory) {
      if ((memory.parent() != nullptr) == parts)
        nearest.consider(kindOf(memory), memory.data(), memory.size());
    });
  forEach(context.svm(), locks, [&](const SvmRegistry::Allocation &each) {
    nearest.consider("shared virtual memory", each.base, each.size);
  });
  forEach(context.usm(), locks, [&](const UsmRegistry::Allocation &each) {
    nearest.consider(kindOf(each.facts.type), each.base, each.size);
  });
}

} // namespace

std::optional<NearMemory> nearestMemory(const LaunchFacts &facts, const scheduler::RunningGroups &groups,
                                        uintptr_t address, Locks locks) {
  Nearest nearest(address);
  if (facts.code->context)
    considerContext(*facts.code->context, locks, nearest);
  nearest.consider("the program scope variables", groups.launch->variables, facts.code->variable_bytes);
  nearest.considerNear("the work-group's local memory", groups.memory->local, groups.memory->local_bytes);
  nearest.considerNear("the work-group's private memory", groups.memory->scratch, groups.memory->scratch_bytes);
  return nearest.found;
}

std::optional<NearMemory> nearestPart(const LaunchFacts &facts, uintptr_t address) {
  Nearest nearest(address);
  const auto has = [=](const Memory &memory) {
    return address - reinterpret_cast<uintptr_t>(memory.data()) < memory.size();
  };
  for (const Ref<Memory> &memory : facts.memory)
    if (memory->parent() && has(*memory->parent()) && !has(*memory))
      nearest.consider(kindOf(*memory), memory->data(), memory->size());
  return nearest.found;
}

} // namespace lanecl::icd
