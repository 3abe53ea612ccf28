#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

unsigned Maker::addVariable(Variable v) {
  v.name = "v" + std::to_string(function.variables.size());
  function.variables.push_back(std::move(v));
  return unsigned(function.variables.size() - 1);
}

unsigned Maker::declare(Block &out, Type type, Level place, Level level) {
  Stmt s{.kind = Stmt::Kind::Declare};
  if (chance(93)) // else it is assigned before it is read, or gets a value afterwards, see guards.h
    s.values.push_back(expr(type, level, 2));
  s.target.variable =
      addVariable({.type = type, .size_t_ = type == kSize && chance(50), .level = std::max(place, level)});
  visible.push_back(s.target.variable);
  out.push_back(s);
  return s.target.variable;
}

unsigned Maker::declareAs(Block &out, Type type, ExprPtr value, Level level) {
  Stmt s{.kind = Stmt::Kind::Declare, .values = {std::move(value)}};
  s.target.variable = addVariable({.type = type, .size_t_ = type == kSize && chance(50), .level = level});
  visible.push_back(s.target.variable);
  out.push_back(s);
  return s.target.variable;
}

void Maker::declareArray(Block &out, Type type) {
  Stmt s{.kind = Stmt::Kind::Declare};
  const unsigned count = chance(50) ? 4 : 8, given = chance(50) ? count : 1;
  for (unsigned i = 0; i < given; ++i)
    s.values.push_back(expr(type, Level::Lane, 1));
  s.target.variable = addVariable({.type = type, .count = count, .array = true});
  visible.push_back(s.target.variable);
  out.push_back(s);
}

bool Maker::chooseElement(Target &target, Type &type, unsigned number) {
  const Variable v = function.variables[number];
  target.variable = number;
  type = v.type;
  if (v.array || v.pointer)
    target.element =
        make({.kind = Expr::Kind::Element, .type = type, .args = {index(Level::Lane, 2)}, .variable = number});
  if (type.lanes > 1 && chance(40)) {
    target.component = int(below(type.lanes));
    type.lanes = 1;
  }
  return true;
}

// A variable, an element or a component that may take a value of that level; its type goes to `type`.
bool Maker::chooseTarget(Level level, Target &target, Type &type) {
  const auto candidates = variablesWhere([&](const Variable &v) { return !v.fixed && v.level >= level; });
  return !candidates.empty() && chooseElement(target, type, pick(candidates));
}

// As above, without a subscript or a component, so that nothing is evaluated beside the value.
bool Maker::chooseVariable(Level level, Target &target, Type type) {
  const auto candidates = variablesWhere(
      [&](const Variable &v) { return !v.fixed && !v.array && !v.pointer && v.type == type && v.level >= level; });
  if (candidates.empty())
    return false;
  target.variable = pick(candidates);
  return true;
}

Block Maker::block(Place place, unsigned count) {
  Block result;
  const size_t outer = visible.size();
  ++place.depth;
  if (chance(25))
    declare(result, anyType(), place.level, atLeast(place.level));
  if (chance(8))
    declareArray(result, anyType());
  for (unsigned i = 0; i < count && statements_left > 0; ++i)
    statement(result, place);
  visible.resize(outer);
  return result;
}

Block Maker::open(Place place, unsigned count) {
  Block result;
  for (unsigned i = 0; i < count && statements_left > 0; ++i)
    statement(result, place);
  return result;
}

void Maker::statement(Block &out, const Place &place) {
  --statements_left;
  unsigned sum = 0;
  for (const auto &way : choices.statements)
    sum += way.weight;
  unsigned left = below(sum);
  const size_t before = out.size();
  for (const auto &way : choices.statements) {
    if (left < way.weight) {
      way.make(*this, out, place);
      break;
    }
    left -= way.weight;
  }
  if (out.size() == before)
    makeAssignment(*this, out, place);
}

void makeAssignment(Maker &m, Block &out, const Place &place) {
  Stmt s{.kind = Stmt::Kind::Assign};
  Type type;
  if (!m.chooseTarget(place.level, s.target, type))
    return;
  s.values.push_back(m.expr(type, m.function.variables[s.target.variable].level, 3));
  out.push_back(s);
}

void makeStore(Maker &m, Block &out, const Place &) {
  Stmt s{.kind = Stmt::Kind::Store, .memory = m.anyOutput()};
  s.values = {m.ownCell(s.memory, m.slot(s.memory, Level::Lane, 2)),
              m.expr(m.kernel.memories[s.memory].type, Level::Lane, 3)};
  out.push_back(s);
}

void makeArray(Maker &m, Block &out, const Place &) {
  m.declareArray(out, m.anyType());
}

void makeAtomic(Maker &m, Block &out, const Place &) {
  const auto counters = m.memoriesWhere([](const MemoryObject &o) { return o.role == MemoryObject::Role::Counters; });
  if (counters.empty())
    return;
  Stmt s{.kind = Stmt::Kind::Atomic, .memory = counters[0], .atomic = AtomicOp(m.below(kAtomicOps))};
  s.values = {m.chance(40) ? m.constant(kInt, m.below(8)) : m.expr(kInt, Level::Lane, 1),
              m.expr(kUInt, Level::Lane, 2)};
  out.push_back(s);
}

} // namespace lanecl::fuzz
