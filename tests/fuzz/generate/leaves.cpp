// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Leaves of expressions. Each function is a LeafMaker, see choices.h.
#include "generate/maker.h"

namespace lanecl::fuzz {

// Returns a variable of the type; for a scalar, failing that, one that can be converted without a guard.
ExprPtr variableLeaf(Maker &m, Type type, Level level, unsigned) {
  auto candidates =
      m.variablesWhere([&](const Variable &v) { return v.type == type && isPlain(v) && v.level <= level; });
  if (!candidates.empty())
    return m.variable(m.pick(candidates));
  if (type.lanes > 1)
    return nullptr;
  candidates = m.variablesWhere([&](const Variable &v) {
    return v.type.lanes == 1 && (isInteger(v.type.base) || !isInteger(type.base)) && isPlain(v) && v.level <= level;
  });
  return candidates.empty() ? nullptr : m.converted(type, m.variable(m.pick(candidates)));
}

namespace {

// A float that an integer cannot hold would need a guard of its own.
bool converts(Type to, Type from) {
  return isInteger(from.base) || !isInteger(to.base);
}

} // namespace

// Returns an element of an array, a record or what a pointer points to; preferably one of that very type.
ExprPtr elementLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const auto candidates = m.variablesWhere([&](const Variable &v) { return !isPlain(v) && m.mayRead(v); });
  if (candidates.empty() || level != Level::Lane || depth == 0)
    return nullptr;
  ExprPtr found;
  for (unsigned attempt = 0; attempt < 4 && (!found || found->type != type); ++attempt)
    if (const ExprPtr e = m.elementOf(m.pick(candidates)); converts(type, e->type))
      found = e;
  return found ? m.converted(type, found) : nullptr;
}

// Returns a component of a vector variable.
ExprPtr componentLeaf(Maker &m, Type type, Level level, unsigned) {
  const auto candidates = m.variablesWhere([&](const Variable &v) {
    return v.type.base == type.base && v.type.lanes > 1 && isPlain(v) && v.level <= level;
  });
  if (candidates.empty() || type.lanes > 1)
    return nullptr;
  const ExprPtr whole = m.variable(m.pick(candidates));
  return make({.kind = Expr::Kind::Component, .type = type, .args = {whole}, .number = m.below(whole->type.lanes)});
}

// Returns an element, at a computed index, of memory that no work-item writes. It is converted if it has another type.
ExprPtr inputLeaf(Maker &m, Type type, Level level, unsigned depth) {
  if (depth == 0)
    return nullptr;
  const auto any = m.memoriesWhere([&](const MemoryObject &o) {
    return (o.role == MemoryObject::Role::Input || o.role == MemoryObject::Role::Table) && converts(type, o.type);
  });
  if (any.empty())
    return nullptr;
  const ExprPtr e = m.anyElement(m.pick(any), level, depth - 1);
  return converts(type, e->type) ? m.converted(type, e) : nullptr;
}

// Returns a parameter of the kernel, which is the same for all work-items.
ExprPtr parameterLeaf(Maker &m, Type type, Level, unsigned) {
  if (m.kernel.parameters.empty())
    return nullptr;
  const unsigned number = m.below(unsigned(m.kernel.parameters.size()));
  return m.converted(type,
                     make({.kind = Expr::Kind::Parameter, .type = m.kernel.parameters[number].type, .number = number}));
}

namespace {

// Returns the query, in a random dimension if it takes one.
ExprPtr asked(Maker &m, Type type, Query query) {
  const unsigned dim = query < Query::GlobalLinearId && m.chance(40) ? m.below(3) : 0;
  if (type.lanes == 1 && isInteger(type.base))
    return m.ask(query, type, dim);
  return m.converted(type, m.ask(query, kInt, dim));
}

} // namespace

// Returns a query of a position or a size, preferably one that differs between work-items where that is allowed.
ExprPtr queryLeaf(Maker &m, Type type, Level level, unsigned) {
  using enum Query;
  static const std::vector<Query> group{GroupId,      LocalSize,         NumGroups,  GlobalSize,
                                        GlobalOffset, EnqueuedLocalSize, LocalItems, GlobalItems};
  static const std::vector<Query> lane{GlobalId, LocalId, GlobalId, LocalId, GlobalLinearId, LocalLinearId};
  return asked(m, type, m.pick(level == Level::Lane && m.chance(80) ? lane : group));
}

// Returns a query of the sub-group whose result is uniform enough for the level.
ExprPtr subGroupQueryLeaf(Maker &m, Type type, Level level, unsigned) {
  using enum Query;
  static const std::vector<Query> group{MaxSubGroupSize, NumSubGroups, EnqueuedNumSubGroups},
      sub_group{SubGroupId, SubGroupSize};
  if (level == Level::Lane && m.chance(60))
    return asked(m, type, LaneId);
  return asked(m, type, m.pick(level >= Level::SubGroup && m.chance(60) ? sub_group : group));
}

namespace {

// Returns the index of another work-item's cell, such as 63 - l or l ^ 4 for work-item l.
ExprPtr opposite(Maker &m, Type type) {
  const NDRange &range = m.kernel.launches[0];
  const bool known = m.kernel.required_local && range.globalSize(0) % range.localSize(0) == 0 &&
                     range.groupItems() == range.localSize(0);
  const ExprPtr own = m.ask(Query::LocalLinearId, type);
  if (m.chance(50)) {
    const ExprPtr partner = m.operation(Op::Xor, type, {own, m.constant(type, 1 << m.below(6))});
    return m.operation(Op::Rem, type, {partner, m.ask(Query::LocalItems, type)});
  }
  const ExprPtr last = known ? m.constant(type, int64_t(range.localSize(0)) - 1)
                             : m.operation(Op::Sub, type, {m.ask(Query::LocalItems, type), m.constant(type, 1)});
  return m.operation(Op::Sub, type, {last, own});
}

} // namespace

// Returns an element of local memory: the work-item's own, or any one while a barrier protects the reads of others'
// cells.
ExprPtr localLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const auto locals = m.locals();
  if (locals.empty() || !m.locals_ready || depth == 0 || (!m.reading && level != Level::Lane))
    return nullptr;
  const unsigned memory = m.pick(locals);
  const MemoryObject object = m.kernel.memories[memory];
  ExprPtr e = m.ownElement(memory);
  if (m.reading) {
    const Type i{m.layouts[memory].index, 1};
    ExprPtr items = m.ask(Query::LocalItems, kUInt);
    if (object.count > 1)
      items = m.operation(Op::Mul, kUInt, {items, m.constant(kUInt, object.count)});
    const ExprPtr place =
        level == Level::Lane && m.chance(30)
            ? opposite(m, i)
            : m.converted(i, m.operation(Op::Rem, kUInt, {m.converted(kUInt, m.index(level, depth - 1)), items}));
    e = make({.kind = Expr::Kind::Load, .type = object.type, .args = {place}, .memory = memory});
  }
  e = m.within(*e, level);
  m.function.loads_local = true;
  return converts(type, e->type) ? m.converted(type, e) : nullptr;
}

// Returns an output element that is the work-item's own.
ExprPtr ownOutputLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const unsigned memory = m.anyOutput();
  if (level != Level::Lane || depth == 0 ||
      (m.kernel.memories[memory].role == MemoryObject::Role::Program && !m.locals_ready))
    return nullptr;
  const ExprPtr e = m.within(*m.ownElement(memory));
  return converts(type, e->type) ? m.converted(type, e) : nullptr;
}

} // namespace lanecl::fuzz
