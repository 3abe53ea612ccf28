// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Floating-point numbers: arithmetic, conversions in every rounding mode, and numbers in all kinds of memory.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

void addMemories(Maker &m, Base base, const std::string &letter) {
  using Role = MemoryObject::Role;
  const Type type{base, 1};
  m.addMemory({.role = Role::Input, .name = "in" + letter, .type = type, .count = 256});
  m.addMemory({.role = Role::Output, .name = "out" + letter, .type = type, .count = m.chance(50) ? 1u : 4u});
  if (m.chance(40))
    m.addMemory({.role = Role::Local, .name = "loc" + letter, .type = type, .count = 1});
  if (m.chance(30))
    m.addMemory({.role = Role::Table, .name = "tab" + letter, .type = type, .count = 16});
}

void startFloats(Maker &m) {
  memoryChoices().start(m);
  addMemories(m, Base::Float, "f");
  if (m.chance(60))
    addMemories(m, Base::Double, "d");
}

void startHalves(Maker &m) {
  memoryChoices().start(m);
  addMemories(m, Base::Half, "h");
}

// Adds types, mostly scalars, of that base type.
void addTypes(std::vector<Type> &types, Base base) {
  for (unsigned i = 0; i < 15; ++i)
    types.push_back({base, 1});
  for (uint8_t lanes : {2, 2, 3, 4, 4, 8, 16})
    types.push_back({base, lanes});
}

Choices chosen(std::vector<Type> types, void (*start)(Maker &)) {
  Choices choices = memoryChoices();
  choices.types = std::move(types);
  choices.start = start;
  return choices;
}

Choices chosenFloats() {
  std::vector<Type> types{kInt,           kUInt, kInt, kUInt, {Base::Long, 1}, {Base::ULong, 2}, {Base::Short, 1},
                          {Base::Half, 1}};
  addTypes(types, Base::Float);
  addTypes(types, Base::Double);
  return chosen(std::move(types), startFloats);
}

Choices chosenHalves() {
  std::vector<Type> types{kInt, kUInt, {Base::Short, 1}, {Base::UShort, 2}, {Base::Float, 2}, {Base::Float, 4}};
  for (unsigned i = 0; i < 5; ++i)
    types.push_back({Base::Float, 1});
  addTypes(types, Base::Half);
  return chosen(std::move(types), startHalves);
}

// Chooses numbers for the most part, so that chains of operations are long.
Choices chosenRelaxed(const std::vector<Base> &bases, void (*start)(Maker &)) {
  Choices choices = chosen({kInt}, start);
  for (const Base base : bases)
    for (uint8_t lanes : {1, 1, 1, 1, 1, 1, 2, 4})
      choices.types.push_back({base, lanes});
  choices.relaxed = true;
  choices.arrays = 60;
  return choices;
}

} // namespace

const Choices &floatChoices() {
  static const Choices choices = chosenFloats();
  return choices;
}

const Choices &relaxedFloatChoices() {
  static const Choices choices = chosenRelaxed({Base::Float, Base::Float, Base::Double}, startFloats);
  return choices;
}

const Choices &halfChoices() {
  static const Choices choices = chosenHalves();
  return choices;
}

const Choices &relaxedHalfChoices() {
  static const Choices choices = chosenRelaxed({Base::Half}, startHalves);
  return choices;
}

} // namespace lanecl::fuzz
