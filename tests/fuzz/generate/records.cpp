// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structs: their fields, variables and values.
#include "generate/maker.h"

namespace lanecl::fuzz {

namespace {

// Chooses a field of at most `room` cells.
Field chooseField(Maker &m, unsigned room) {
  const std::vector<Base> bases{Base::Char, Base::UChar, Base::Short, Base::UShort, Base::Int,  Base::Int,
                                Base::UInt, Base::Long,  Base::ULong, Base::Float,  Base::Half, Base::Double};
  const std::vector<uint8_t> lanes{1, 1, 1, 1, 2, 3, 4, 8};
  Field field{.type = {m.pick(bases), 1}};
  if (m.chance(30))
    field.type = m.anyType();
  else if (const uint8_t n = m.pick(lanes); n <= room)
    field.type.lanes = n;
  if (!m.kernel.records.empty() && m.chance(25)) {
    const unsigned number = m.below(unsigned(m.kernel.records.size()));
    field.type = {.lanes = uint8_t(m.kernel.records[number].cells), .record = uint8_t(number + 1)};
  }
  if (m.chance(25)) {
    field.array = true;
    field.count = m.chance(50) ? 2 : 4;
  }
  return field;
}

} // namespace

// Adds a record of random fields. It has no more cells than a value has components.
Type Maker::addRecord() {
  Record record{.name = "S" + std::to_string(kernel.records.size()), .packed = chance(10)};
  unsigned room = kMaxLanes;
  for (unsigned count = 2 + below(4); count > 0; --count) {
    Field field = chooseField(*this, room);
    if (field.count * field.type.lanes > room)
      continue;
    room -= field.count * field.type.lanes;
    field.name = "f" + std::to_string(record.fields.size());
    record.fields.push_back(field);
  }
  if (record.fields.empty())
    record.fields.push_back({.name = "f0", .type = kInt});
  return fuzz::addRecord(kernel.records, std::move(record));
}

// Adds a record whose members have about the same size, so that neighboring work-items access it as a whole.
Type Maker::addStructure() {
  const std::vector<std::vector<Base>> kinds{
      {Base::Int, Base::UInt, Base::Float},    {Base::Int, Base::UInt, Base::Float},
      {Base::Short, Base::UShort, Base::Half}, {Base::Char, Base::UChar},
      {Base::Long, Base::ULong, Base::Double}, {Base::Int, Base::Short, Base::UChar}};
  const std::vector<Base> bases = pick(kinds);
  const std::vector<unsigned> counts{2, 2, 3, 4, 4, 4, 5, 8};
  Record record{.name = "S" + std::to_string(kernel.records.size())};
  for (unsigned i = 0, count = pick(counts); i < count; ++i)
    record.fields.push_back({.name = "f" + std::to_string(i), .type = {pick(bases), 1}});
  return fuzz::addRecord(kernel.records, std::move(record));
}

// Returns a whole record: a variable, an element or a value in memory. Memory that no work-item writes contains a
// record of each type.
ExprPtr Maker::recordValue(Type type, Level level) {
  const auto variables = variablesWhere([&](const Variable &v) { return v.type == type && mayRead(v); });
  if (!variables.empty() && level == Level::Lane && chance(60)) {
    const unsigned number = pick(variables);
    const Variable v = function.variables[number];
    if (v.array || v.pointer)
      return make({.kind = Expr::Kind::Element, .type = type, .args = {subscript()}, .variable = number});
    return variable(number);
  }
  const auto outputs =
      memoriesWhere([&](const MemoryObject &o) { return o.type == type && o.role == MemoryObject::Role::Output; });
  if (!outputs.empty() && level == Level::Lane && chance(30))
    return ownElement(pick(outputs));
  const auto inputs =
      memoriesWhere([&](const MemoryObject &o) { return o.type == type && o.role == MemoryObject::Role::Input; });
  const ExprPtr first = make({.kind = Expr::Kind::Load, .type = type, .args = {index(level, 1)}, .memory = inputs[0]});
  if (!chance(25))
    return first;
  return make(
      {.kind = Expr::Kind::Select, .type = type, .args = {condition(level, 1), recordValue(type, level), first}});
}

// Declares a record or an array of records, with values for all fields, for the first ones or for none.
void Maker::declareRecord(Block &out, Type type) {
  Variable v{.type = type};
  if (chance(40)) {
    v.array = true;
    v.count = chance(50) ? 2 : 4;
  }
  Stmt s{.kind = Stmt::Kind::Declare};
  if (v.array || chance(60)) {
    const std::vector<Type> leaves = leavesOf(type, kernel.records);
    const unsigned given = v.array || chance(50) ? 1 + below(unsigned(leaves.size())) : unsigned(leaves.size());
    for (unsigned i = 0; i < given; ++i)
      s.values.push_back(expr(leaves[i], Level::Lane, 1));
  } else if (chance(90)) { // otherwise it is assigned before it is read, or gets a value afterwards, see guards.h
    s.values = {recordValue(type, Level::Lane)};
  }
  s.target.variable = addVariable(v);
  visible.push_back(s.target.variable);
  out.push_back(s);
}

void makeRecord(Maker &m, Block &out, const Place &) {
  const auto inputs =
      m.memoriesWhere([](const MemoryObject &o) { return isRecord(o.type) && o.role == MemoryObject::Role::Input; });
  if (!inputs.empty())
    m.declareRecord(out, m.kernel.memories[m.pick(inputs)].type);
}

} // namespace lanecl::fuzz
