#include "generate/maker.h"

namespace lanecl::fuzz {

ExprPtr variableLeaf(Maker &m, Type type, Level level, unsigned) {
  auto candidates =
      m.variablesWhere([&](const Variable &v) { return v.type == type && !v.array && !v.pointer && v.level <= level; });
  if (!candidates.empty())
    return m.variable(m.pick(candidates));
  if (type.lanes > 1)
    return nullptr;
  candidates = m.variablesWhere([&](const Variable &v) {
    return v.type.lanes == 1 && (isInteger(v.type.base) || type.base == Base::Float) && !v.array && !v.pointer &&
           v.level <= level;
  });
  return candidates.empty() ? nullptr : m.converted(type, m.variable(m.pick(candidates)));
}

ExprPtr elementLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const auto candidates = m.variablesWhere([&](const Variable &v) { return v.type == type && (v.array || v.pointer); });
  if (candidates.empty() || level != Level::Lane || depth == 0)
    return nullptr;
  return make(
      {.kind = Expr::Kind::Element, .type = type, .args = {m.index(level, depth - 1)}, .variable = m.pick(candidates)});
}

ExprPtr componentLeaf(Maker &m, Type type, Level level, unsigned) {
  const auto candidates = m.variablesWhere([&](const Variable &v) {
    return v.type.base == type.base && v.type.lanes > 1 && !v.array && !v.pointer && v.level <= level;
  });
  if (candidates.empty() || type.lanes > 1)
    return nullptr;
  const ExprPtr whole = m.variable(m.pick(candidates));
  return make({.kind = Expr::Kind::Component, .type = type, .args = {whole}, .number = m.below(whole->type.lanes)});
}

// What nobody writes, at a computed index; of another type it is converted.
ExprPtr inputLeaf(Maker &m, Type type, Level level, unsigned depth) {
  if (depth == 0)
    return nullptr;
  const auto any = m.memoriesWhere([&](const MemoryObject &o) {
    return (o.role == MemoryObject::Role::Input || o.role == MemoryObject::Role::Table) &&
           (isInteger(o.type.base) || type.base == Base::Float);
  });
  if (any.empty())
    return nullptr;
  const unsigned memory = m.pick(any);
  return m.converted(type, make({.kind = Expr::Kind::Load,
                                 .type = m.kernel.memories[memory].type,
                                 .args = {m.index(level, depth - 1)},
                                 .memory = memory}));
}

ExprPtr parameterLeaf(Maker &m, Type type, Level, unsigned) {
  if (m.kernel.parameters.empty())
    return nullptr;
  const unsigned number = m.below(unsigned(m.kernel.parameters.size()));
  return m.converted(type,
                     make({.kind = Expr::Kind::Parameter, .type = m.kernel.parameters[number].type, .number = number}));
}

namespace {

ExprPtr asked(Maker &m, Type type, Query query) {
  const unsigned dim = query < Query::GlobalLinearId && m.chance(40) ? m.below(3) : 0;
  if (type.lanes == 1 && isInteger(type.base))
    return m.ask(query, type, dim);
  return m.converted(type, m.ask(query, kInt, dim));
}

} // namespace

ExprPtr queryLeaf(Maker &m, Type type, Level level, unsigned) {
  using enum Query;
  static const std::vector<Query> group{GroupId,      LocalSize,         NumGroups,  GlobalSize,
                                        GlobalOffset, EnqueuedLocalSize, LocalItems, GlobalItems};
  static const std::vector<Query> lane{GlobalId, LocalId, GlobalId, LocalId, GlobalLinearId, LocalLinearId};
  return asked(m, type, m.pick(level == Level::Lane && m.chance(80) ? lane : group));
}

ExprPtr subGroupQueryLeaf(Maker &m, Type type, Level level, unsigned) {
  using enum Query;
  static const std::vector<Query> group{MaxSubGroupSize, NumSubGroups, EnqueuedNumSubGroups},
      sub_group{SubGroupId, SubGroupSize};
  if (level == Level::Lane && m.chance(60))
    return asked(m, type, LaneId);
  return asked(m, type, m.pick(level >= Level::SubGroup && m.chance(60) ? sub_group : group));
}

ExprPtr localLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const auto locals = m.memoriesWhere([](const MemoryObject &o) { return o.isLocal(); });
  if (locals.empty() || !m.locals_ready || depth == 0 || type.base == Base::Float ||
      (!m.reading && level != Level::Lane))
    return nullptr;
  const unsigned memory = m.pick(locals);
  ExprPtr cell = m.ownCell(memory, m.constant(kInt, 0));
  if (m.reading) {
    const Type i{m.layouts[memory].index, 1};
    const ExprPtr items = m.ask(Query::LocalItems, kUInt);
    const ExprPtr other = m.converted(kUInt, m.index(level, depth - 1));
    cell = m.converted(i, m.operation(Op::Rem, kUInt, {other, items}));
  }
  return m.converted(
      type, make({.kind = Expr::Kind::Load, .type = m.kernel.memories[memory].type, .args = {cell}, .memory = memory}));
}

ExprPtr ownOutputLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const auto outputs = m.memoriesWhere([](const MemoryObject &o) { return o.role == MemoryObject::Role::Output; });
  if (level != Level::Lane || depth == 0 || type.base == Base::Float)
    return nullptr;
  const unsigned memory = m.pick(outputs);
  return m.converted(type, make({.kind = Expr::Kind::Load,
                                 .type = m.kernel.memories[memory].type,
                                 .args = {m.ownCell(memory, m.slot(memory, level, 0))},
                                 .memory = memory}));
}

} // namespace lanecl::fuzz
