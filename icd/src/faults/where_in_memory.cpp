// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The words for the place of an address: the distance from the memory, its kind and size, and the argument.
#include "faults/where_in_memory.h"

#include <cstring>

namespace lanecl::icd {
namespace {

using scheduler::RunningGroups;

// Appends the number and the name of the first argument that points into the memory or to its end.
void nameArgument(const LaunchFacts &facts, const RunningGroups &groups, const NearMemory &memory, FaultText &text) {
  if (!facts.code->arguments)
    return;
  uint64_t offset = 0, number = 0;
  for (const frontend::ArgumentInfo &argument : *facts.code->arguments) {
    offset = abi::align_up(offset, argument.alignment == 0 ? 1 : argument.alignment);
    const bool is_pointer = argument.kind == frontend::ArgumentKind::GlobalPointer ||
                            argument.kind == frontend::ArgumentKind::ConstantPointer;
    uintptr_t value = 0;
    if (is_pointer)
      std::memcpy(&value, groups.launch->arguments + offset, sizeof value);
    if (is_pointer && value >= memory.begin && value - memory.begin <= memory.bytes) {
      text << ", argument " << number;
      if (!argument.name.empty()) // SPIR-V may have none
        text << " '" << argument.name << "'";
      return;
    }
    offset += argument.size;
    ++number;
  }
}

// Appends the distance from the memory's start or end, and the memory.
void describe(const LaunchFacts &facts, const RunningGroups &groups, const NearMemory &memory, uintptr_t address,
              FaultText &text) {
  if (memory.contains(address))
    text.counted(address - memory.begin, "byte") << " into ";
  else if (const uint64_t before = memory.before(address))
    text.counted(before, "byte") << " before the start of ";
  else
    text.counted(memory.behind(address), "byte") << " past the end of ";
  (text << memory.what << " (").counted(memory.bytes, "byte");
  nameArgument(facts, groups, memory, text);
  text << ")";
}

} // namespace

void whereInMemory(const LaunchFacts &facts, const RunningGroups &groups, uintptr_t address, Locks locks,
                   FaultText &text) {
  constexpr uintptr_t kNullPage = 4096;
  if (address < kNullPage) {
    text << "a null pointer" << (address == 0 ? "" : " with an offset");
    return;
  }
  if (const std::optional<NearMemory> near = nearestMemory(facts, groups, address, locks))
    describe(facts, groups, *near, address, text);
}

void whereOutsideMemory(const LaunchFacts &facts, const RunningGroups &groups, uintptr_t address, Locks locks,
                        FaultText &text) {
  if (const std::optional<NearMemory> part = nearestPart(facts, address))
    describe(facts, groups, *part, address, text);
  else
    whereInMemory(facts, groups, address, locks, text);
}

} // namespace lanecl::icd
