// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables, arrays and structs that have open bits.
#include "generate/open_values.h"

namespace lanecl::fuzz {

namespace {

// Declares a variable that may have open bits and returns its number.
unsigned declareOpen(Maker &m, Block &out, Variable v, std::vector<ExprPtr> values) {
  v.open = true;
  Stmt s{.kind = Stmt::Kind::Declare, .values = std::move(values)};
  s.target.variable = m.addVariable(std::move(v));
  m.visible.push_back(s.target.variable);
  out.push_back(s);
  return s.target.variable;
}

// Writes some components of the vector that is the target, sometimes all.
Stmt written(Maker &m, Target target, Type type) {
  Stmt s{.kind = Stmt::Kind::Assign, .target = std::move(target)};
  if (isVector(type) && m.chance(75)) {
    const std::vector<uint8_t> counts{1, 1, 2, 3, 3, 4, 8};
    uint8_t count = m.pick(counts);
    while (count > type.lanes)
      count = m.pick(counts);
    s.target.swizzle = m.swizzle(type.lanes, count, true);
    type.lanes = count;
  }
  s.values = {m.chance(70) ? m.expr(type, Level::Lane, 2) : openExpr(m, type, 1)};
  return s;
}

Type vectorType(Maker &m) {
  Type type = openType(m);
  while (type.lanes == 1)
    type = openType(m);
  return type;
}

} // namespace

// Declares a variable. If it is a vector, it may get only some of its components.
void makeOpenVariable(Maker &m, Block &out, const Place &) {
  const Type type = openType(m);
  if (type.lanes == 1 || m.chance(60)) {
    declareOpen(m, out, {.type = type}, {openExpr(m, type, 2)});
    return;
  }
  const unsigned number = declareOpen(m, out, {.type = type}, {});
  for (unsigned count = 1 + m.below(2); count > 0; --count)
    out.push_back(written(m, {.variable = number}, type));
}

// Declares a variable that has the same value wherever it is used, although nobody knows which.
void makeSettled(Maker &m, Block &out, const Place &) {
  const Type type{Base(m.below(kIntegerBases)), 1};
  declareOpen(m, out, {.type = type, .fixed = true}, {settledValue(m, type)});
}

// Assigns to an open variable or to an element of one.
void makeOpenAssignment(Maker &m, Block &out, const Place &) {
  const auto candidates = openVariables(m, [](const Variable &v) { return !v.fixed && !isRecord(v.type); });
  if (candidates.empty())
    return;
  Target target{.variable = m.pick(candidates)};
  const Variable v = m.function.variables[target.variable];
  if (v.array)
    target.element = m.elementOf(target.variable);
  out.push_back(written(m, std::move(target), v.type));
}

// Declares an array and writes all of its elements, in a loop, or some of them.
void makeOpenArray(Maker &m, Block &out, const Place &place) {
  const Type type = vectorType(m);
  const unsigned count = m.chance(50) ? 4 : 8;
  const unsigned number = declareOpen(m, out, {.type = type, .count = count, .array = true}, {});
  const auto element = [&](ExprPtr subscript) {
    return Target{.variable = number,
                  .element =
                      make({.kind = Expr::Kind::Element, .type = type, .args = {subscript}, .variable = number})};
  };
  if (m.chance(50)) {
    for (unsigned writes = 1 + m.below(3); writes > 0; --writes)
      out.push_back(written(m, element(m.subscript()), type));
    return;
  }
  Stmt loop{.kind = Stmt::Kind::For, .values = {m.constant(kInt, 0), m.constant(kInt, count)}, .number = 1};
  loop.target.variable = m.addVariable({.type = kInt, .fixed = true, .level = place.level});
  m.visible.push_back(loop.target.variable);
  loop.blocks = {{written(m, element(m.variable(loop.target.variable)), type)}};
  m.visible.pop_back();
  out.push_back(loop);
}

// Writes some members of a record and copies all of it to others.
void makeOpenRecord(Maker &m, Block &out, const Place &) {
  const auto memories =
      m.memoriesWhere([](const MemoryObject &o) { return isRecord(o.type) && o.role == MemoryObject::Role::Open; });
  if (memories.empty())
    return;
  const unsigned memory = m.pick(memories);
  const Type type = m.kernel.memories[memory].type;
  unsigned number = declareOpen(m, out, {.type = type}, {});
  for (unsigned count = 1 + m.below(4); count > 0; --count) {
    const ExprPtr member = m.elementOf(number);
    if (isInteger(member->type.base))
      out.push_back(written(m, {.variable = number, .element = member}, member->type));
    else
      out.push_back({.kind = Stmt::Kind::Assign,
                     .target = {.variable = number, .element = member},
                     .values = {m.expr(member->type, Level::Lane, 1)}});
  }
  for (unsigned copies = m.below(3); copies > 0; --copies)
    number = declareOpen(m, out, {.type = type}, {m.variable(number)});
  out.push_back(
      {.kind = Stmt::Kind::Assign, .target = {.element = m.ownElement(memory)}, .values = {m.variable(number)}});
}

namespace {

// Stores several vectors in a row with vstore.
Stmt vectorStore(Maker &m, unsigned memory) {
  const MemoryObject object = m.kernel.memories[memory];
  const std::vector<uint8_t> sizes{2, 3, 3, 3, 4, 8};
  const Type type{object.type.base, m.pick(sizes)};
  const unsigned first = m.below(object.count - type.lanes + 1u);
  const ExprPtr cell = make({.kind = Expr::Kind::Load,
                             .type = object.type,
                             .args = {m.ownCell(memory, m.constant(kInt, first))},
                             .memory = memory});
  const ExprPtr address =
      make({.kind = Expr::Kind::Address, .type = object.type, .args = {cell}, .pointer = true, .space = Space::Global});
  return {.kind = Stmt::Kind::VectorStore, .values = {openExpr(m, type, 2), m.constant(kInt, 0), address}};
}

} // namespace

// Stores an open value, or a closed one, to memory of which only the known bits are compared.
void makeOpenStore(Maker &m, Block &out, const Place &) {
  const unsigned memory = m.pick(
      m.memoriesWhere([](const MemoryObject &o) { return !isRecord(o.type) && o.role == MemoryObject::Role::Open; }));
  const MemoryObject object = m.kernel.memories[memory];
  if (object.count >= 8 && object.type.lanes == 1 && m.chance(60))
    return out.push_back(vectorStore(m, memory));
  Stmt s{.kind = Stmt::Kind::Assign, .target = {.element = m.ownElement(memory)}};
  Type type = object.type;
  m.chooseComponents(s.target, type);
  s.values = {m.chance(80) ? openExpr(m, type, 3) : closedExpr(m, type, 2)};
  out.push_back(s);
}

// Assigns a known value that is computed from open ones.
void makeClosed(Maker &m, Block &out, const Place &place) {
  Stmt s{.kind = Stmt::Kind::Assign};
  Type type;
  if (place.level != Level::Lane && m.chance(70))
    return makeOpenStore(m, out, place);
  if (!m.chooseTarget(Level::Lane, s.target, type) || !isInteger(type.base) || isRecord(type))
    return;
  s.values = {closedExpr(m, type, 2)};
  out.push_back(s);
}

} // namespace lanecl::fuzz
