// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Halves: their arithmetic, conversions in every rounding mode, and halves in all kinds of memory.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

std::vector<Type> types() {
  std::vector<Type> result{kInt, kUInt, {Base::Short, 1}, {Base::UShort, 2}, {Base::Float, 2}, {Base::Float, 4}};
  for (unsigned i = 0; i < 5; ++i)
    result.insert(result.end(), {{Base::Half, 1}, {Base::Half, 1}, {Base::Half, 1}, {Base::Float, 1}});
  for (uint8_t lanes : {2, 2, 3, 4, 4, 8, 16})
    result.push_back({Base::Half, lanes});
  return result;
}

void start(Maker &m) {
  using Role = MemoryObject::Role;
  const Type half{Base::Half, 1};
  memoryChoices().start(m);
  m.addMemory({.role = Role::Input, .name = "inh", .type = half, .count = 256});
  m.addMemory({.role = Role::Output, .name = "outh", .type = half, .count = m.chance(50) ? 1u : 4u});
  if (m.chance(40))
    m.addMemory({.role = Role::Local, .name = "loch", .type = half, .count = 1});
  if (m.chance(30))
    m.addMemory({.role = Role::Table, .name = "tabh", .type = half, .count = 16});
}

Choices chosen() {
  Choices choices = memoryChoices();
  choices.types = types();
  choices.start = start;
  return choices;
}

// Halves for the most part, so that chains of operations are long.
Choices chosenRelaxed() {
  Choices choices = chosen();
  choices.relaxed = true;
  choices.arrays = 60;
  choices.types = {kInt};
  for (uint8_t lanes : {1, 1, 1, 1, 1, 1, 2, 4})
    choices.types.push_back({Base::Half, lanes});
  return choices;
}

} // namespace

const Choices &relaxedHalfChoices() {
  static const Choices choices = chosenRelaxed();
  return choices;
}

const Choices &halfChoices() {
  static const Choices choices = chosen();
  return choices;
}

} // namespace lanecl::fuzz
