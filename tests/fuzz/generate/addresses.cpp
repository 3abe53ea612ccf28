// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Addresses of variables, elements, fields and memory; pointers that are chosen by conditions.
#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// Finds everything that a pointer with certain properties may point to: visible variables, their elements and fields,
// and the work-item's own cells of memory.
class Candidates {
public:
  Candidates(Maker &m_, const Maker::Pointee &wanted_, size_t scope_) : m(m_), wanted(wanted_), scope(scope_) {}

  std::vector<ExprPtr> find() {
    for (size_t i = 0; i < scope; ++i)
      addVariable(m.visible[i]);
    for (unsigned i = 0; i < m.kernel.memories.size(); ++i)
      addMemory(i);
    return std::move(found);
  }

private:
  Maker &m;
  const Maker::Pointee &wanted;
  const size_t scope;
  std::vector<ExprPtr> found{};

  // Returns whether the wanted pointer may point to that address space. A generic one points to all but constant
  // memory.
  bool goesTo(Space space) const {
    return wanted.space == space || (wanted.space == Space::Generic && space != Space::Constant);
  }

  void add(ExprPtr place) {
    found.push_back(make({.kind = Expr::Kind::Address,
                          .type = wanted.type,
                          .args = {std::move(place)},
                          .pointer = true,
                          .space = wanted.space}));
  }

  // Returns where `wanted.count` elements start among `count` ones.
  ExprPtr start(unsigned count) {
    const unsigned places = count - wanted.count + 1;
    if (places == 1 || m.chance(20))
      return m.constant(kInt, m.below(places));
    if (wanted.count == 1)
      return m.subscript(); // guarded where necessary
    const ExprPtr any = m.converted(kUInt, m.subscript());
    return m.operation(Op::Rem, kUInt, {any, m.constant(kUInt, places)});
  }

  void addVariable(unsigned number) {
    const Variable v = m.function.variables[number];
    const bool usable = !v.open && v.level == Level::Lane && (wanted.constant || !v.fixed);
    if (v.pointer) {
      if (v.type == wanted.type && v.count >= wanted.count && goesTo(v.space) &&
          (wanted.constant ? m.mayRead(v) : m.mayWrite(v)))
        found.push_back(make({.kind = Expr::Kind::Variable, .type = v.type, .variable = number, .pointer = true}));
      return;
    }
    if (!usable || !goesTo(Space::Private))
      return;
    if (v.type == wanted.type && !v.array && wanted.count == 1)
      add(m.variable(number));
    else if (v.type == wanted.type && v.array && v.count >= wanted.count)
      add(make({.kind = Expr::Kind::Element, .type = v.type, .args = {start(v.count)}, .variable = number}));
    else if (isRecord(v.type) && wanted.count == 1)
      addFieldOf(number);
  }

  // A field of a packed record has no alignment that a pointer could rely on, so its address is not taken.
  void addFieldOf(unsigned number) {
    const ExprPtr e = m.elementOf(number);
    Type type = m.function.variables[number].type;
    for (uint8_t field : e->path) {
      if (m.kernel.records[type.record - 1].packed)
        return;
      type = m.kernel.records[type.record - 1].fields[field].type;
    }
    if (e->type == wanted.type)
      add(e);
  }

  void addMemory(unsigned memory) {
    const MemoryObject object = m.kernel.memories[memory];
    if (object.type != wanted.type || object.count < wanted.count)
      return;
    using Role = MemoryObject::Role;
    const auto place = [&](ExprPtr index) {
      add(make({.kind = Expr::Kind::Load, .type = object.type, .args = {std::move(index)}, .memory = memory}));
    };
    const bool own = object.isLocal() || object.role == Role::Output || object.role == Role::Program;
    if (own && goesTo(object.isLocal() ? Space::Local : Space::Global)) {
      if (object.isLocal() && (!m.locals_ready || m.busy >= 0 || (m.reading && !wanted.constant)))
        return;
      if ((wanted.count > 1 && m.layouts[memory].by_slot) || (object.role == Role::Program && !m.locals_ready))
        return;
      m.function.loads_local |= object.isLocal();
      m.function.stores_local |= object.isLocal() && !wanted.constant;
      place(m.ownCell(memory, m.constant(kInt, m.below(object.count - wanted.count + 1))));
    } else if (wanted.constant &&
               (object.role == Role::Input ? goesTo(Space::Global)
                                           : object.role == Role::Table && wanted.space == Space::Constant)) {
      place(start(object.count));
    }
  }
};

} // namespace

// Returns one of the candidates, or a choice by conditions among several of them if `chosen` is set.
ExprPtr Maker::address(const Pointee &wanted, size_t scope, bool chosen) {
  const std::vector<ExprPtr> found = Candidates(*this, wanted, scope).find();
  if (found.empty())
    return nullptr;
  ExprPtr result = pick(found);
  for (unsigned count = chosen ? below(3) : 0; count > 0; --count)
    result = make({.kind = Expr::Kind::Select,
                   .type = wanted.type,
                   .args = {condition(chance(70) ? Level::Lane : Level::Group, 1), result, pick(found)},
                   .pointer = true,
                   .space = wanted.space});
  return result;
}

// Declares a pointer to something that exists already.
void makePointer(Maker &m, Block &out, const Place &) {
  const std::vector<Space> spaces{Space::Generic, Space::Private, Space::Private, Space::Local,
                                  Space::Global,  Space::Global,  Space::Constant};
  Variable v{.pointer = true, .space = m.pick(spaces), .constant = m.chance(30)};
  v.constant |= v.space == Space::Constant;
  v.count = m.chance(60) ? 1 : 4;
  for (unsigned attempt = 0; attempt < 4; ++attempt) {
    v.type = m.anyType();
    if (const auto records = m.memoriesWhere([](const MemoryObject &o) { return isRecord(o.type); });
        !records.empty() && m.chance(30))
      v.type = m.kernel.memories[m.pick(records)].type;
    ExprPtr address = m.address({v.type, v.count, v.space, v.constant}, m.visible.size());
    if (!address)
      continue;
    Stmt s{.kind = Stmt::Kind::Declare, .values = {std::move(address)}};
    s.target.variable = m.addVariable(v);
    m.visible.push_back(s.target.variable);
    out.push_back(s);
    return;
  }
}

// Lets an existing pointer point to something declared before the pointer, which therefore lives as long.
void makePointerMove(Maker &m, Block &out, const Place &) {
  const auto pointers = m.variablesWhere([](const Variable &v) { return v.pointer && !v.restrict_; });
  if (pointers.empty())
    return;
  Stmt s{.kind = Stmt::Kind::Assign};
  s.target.variable = m.pick(pointers);
  const Variable v = m.function.variables[s.target.variable];
  const auto at = std::find(m.visible.begin(), m.visible.end(), s.target.variable);
  const ExprPtr address = m.address({v.type, v.count, v.space, v.constant}, size_t(at - m.visible.begin()));
  if (!address)
    return;
  s.values = {address};
  out.push_back(s);
}

// Returns whether a generic pointer points to a certain address space, as to_global(p) != 0 tells.
ExprPtr pointsToLeaf(Maker &m, Type type, Level level, unsigned) {
  const auto pointers = m.variablesWhere([](const Variable &v) { return v.pointer && v.space == Space::Generic; });
  if (pointers.empty() || level != Level::Lane)
    return nullptr;
  const unsigned number = m.pick(pointers);
  const std::vector<Space> spaces{Space::Private, Space::Local, Space::Global};
  const ExprPtr pointer = make(
      {.kind = Expr::Kind::Variable, .type = m.function.variables[number].type, .variable = number, .pointer = true});
  return m.converted(type,
                     make({.kind = Expr::Kind::PointsTo, .type = kInt, .args = {pointer}, .space = m.pick(spaces)}));
}

} // namespace lanecl::fuzz
