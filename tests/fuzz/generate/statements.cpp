// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declarations, assignments and stores, and the choice of the next statement.
#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

unsigned Maker::addVariable(Variable v) {
  v.name = "v" + std::to_string(function.variables.size());
  function.variables.push_back(std::move(v));
  return unsigned(function.variables.size() - 1);
}

// Declares a variable, mostly with an initial value, and returns its number.
unsigned Maker::declare(Block &out, Type type, Level place, Level level) {
  Stmt s{.kind = Stmt::Kind::Declare};
  if (chance(93)) // otherwise it is assigned before it is read, or gets a value afterwards, see guards.h
    s.values.push_back(expr(type, level, 2));
  s.target.variable =
      addVariable({.type = type, .size_t_ = type == kSize && chance(50), .level = std::max(place, level)});
  visible.push_back(s.target.variable);
  out.push_back(s);
  return s.target.variable;
}

// Declares a variable with that initial value and returns its number.
unsigned Maker::declareAs(Block &out, Type type, ExprPtr value, Level level) {
  Stmt s{.kind = Stmt::Kind::Declare, .values = {std::move(value)}};
  s.target.variable = addVariable({.type = type, .size_t_ = type == kSize && chance(50), .level = level});
  visible.push_back(s.target.variable);
  out.push_back(s);
  return s.target.variable;
}

// Declares a private array. If only its first element is given, the others are zero.
void Maker::declareArray(Block &out, Type type) {
  Stmt s{.kind = Stmt::Kind::Declare};
  const unsigned count = chance(50) ? 4 : 8, given = chance(40) ? count : 1;
  for (unsigned i = 0; i < given; ++i)
    s.values.push_back(expr(type, Level::Lane, 1));
  s.target.variable = addVariable({.type = type, .count = count, .array = true});
  visible.push_back(s.target.variable);
  out.push_back(s);
}

// Chooses what to assign of the variable. It may be all of a record.
void Maker::chooseElement(Target &target, Type &type, unsigned number) {
  const Variable v = function.variables[number];
  target.variable = number;
  type = v.type;
  if (isRecord(v.type) && chance(25)) {
    if (v.array || v.pointer)
      target.element = make({.kind = Expr::Kind::Element, .type = type, .args = {subscript()}, .variable = number});
    return;
  }
  if (!isPlain(v))
    target.element = elementOf(number);
  if (target.element)
    type = target.element->type;
  chooseComponents(target, type);
}

// Sometimes restricts an assignment to a vector to a few of its components.
void Maker::chooseComponents(Target &target, Type &type) {
  if (!isVector(type) || !chance(40))
    return;
  const std::vector<unsigned> counts{1, 1, 2, 2, 3, 4, 8};
  const unsigned count = pick(counts);
  if (count >= type.lanes)
    return;
  target.swizzle = swizzle(type.lanes, count, true);
  type.lanes = uint8_t(target.swizzle.components.size());
}

// Chooses a variable, an element or components that may take a value of that level. `type` gets their type.
bool Maker::chooseTarget(Level level, Target &target, Type &type) {
  const auto candidates = variablesWhere([&](const Variable &v) { return mayWrite(v) && v.level >= level; });
  if (candidates.empty())
    return false;
  chooseElement(target, type, pick(candidates));
  return true;
}

// Chooses a whole plain variable, so that nothing is evaluated beside the value.
bool Maker::chooseVariable(Level level, Target &target, Type type) {
  const auto candidates = variablesWhere(
      [&](const Variable &v) { return !v.fixed && !v.array && !v.pointer && v.type == type && v.level >= level; });
  if (candidates.empty())
    return false;
  target.variable = pick(candidates);
  return true;
}

// Makes a nested block with up to `count` statements. Variables that it declares are not visible after it.
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

// Makes statements without a scope of their own: variables that they declare stay visible after them.
Block Maker::open(Place place, unsigned count) {
  Block result;
  for (unsigned i = 0; i < count && statements_left > 0; ++i)
    statement(result, place);
  return result;
}

// Adds a statement of a kind chosen by weight. If that kind is not valid here, adds an assignment.
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

// Assigns an expression to a variable, an element or components.
void makeAssignment(Maker &m, Block &out, const Place &place) {
  Stmt s{.kind = Stmt::Kind::Assign};
  Type type;
  if (!m.chooseTarget(place.level, s.target, type))
    return;
  s.values.push_back(m.expr(type, m.function.variables[s.target.variable].level, 3));
  out.push_back(s);
}

// Stores to the work-item's own cells of an output.
void makeStore(Maker &m, Block &out, const Place &) {
  const unsigned memory = m.anyOutput();
  const Type type = m.kernel.memories[memory].type;
  if (isScalar(type)) {
    Stmt s{.kind = Stmt::Kind::Store, .memory = memory};
    s.values = {m.ownCell(memory, m.slot(memory, Level::Lane, 2)), m.expr(type, Level::Lane, 3)};
    out.push_back(s);
    return;
  }
  Stmt s{.kind = Stmt::Kind::Assign};
  const ExprPtr whole = m.ownElement(memory);
  Type assigned = type;
  s.target.element = isRecord(type) && m.chance(60) ? m.within(*whole) : whole;
  assigned = s.target.element->type;
  m.chooseComponents(s.target, assigned);
  s.values = {m.expr(assigned, Level::Lane, 2)};
  out.push_back(s);
}

void makeArray(Maker &m, Block &out, const Place &) {
  m.declareArray(out, m.anyType());
}

} // namespace lanecl::fuzz
