// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-groups that take turns at places that the whole work-group reaches, and work-groups that take turns at places
// that the whole launch reaches.
#include "generate/maker.h"

namespace lanecl::fuzz {

namespace {

// Work-items can tell each other the answer only if all of them wait. Turns of work-groups have no local memory.
Turns::Via anyVia(Maker &m, bool of_sub_groups, Turns::Who who) {
  using Via = Turns::Via;
  std::vector<Via> vias{Via::Variable, Via::Arrays, Via::Output, Via::Ring};
  if (of_sub_groups)
    vias.push_back(Via::Cell);
  if (who == Turns::Who::All)
    vias.insert(vias.end(), {Via::Least, Via::Broadcast});
  if (who == Turns::Who::All && of_sub_groups)
    vias.push_back(Via::Word);
  return m.pick(vias);
}

// Chooses a counter that runs beside the wait.
Turns::Beside anyBeside(Maker &m, bool of_sub_groups, Turns::Who who) {
  using Beside = Turns::Beside;
  if (!of_sub_groups)
    return Beside::Counter;
  std::vector<Beside> besides{Beside::Counter, Beside::Word, Beside::NoSteps, Beside::Compared};
  if (who == Turns::Who::All)
    besides.push_back(Beside::WordForAll);
  return m.pick(besides);
}

// The work-items of a sub-group can wait one after the other; those of a work-group cannot.
Turns anyTurns(Maker &m, bool of_sub_groups) {
  Turns turns{.order = Turns::Order(m.below(kTurnOrders)),
              .who = Turns::Who(m.below(of_sub_groups ? kTurnWaiters : kTurnWaiters - 1)),
              .loop = Turns::Loop(m.below(kTurnLoops)),
              .ask = Turns::Ask(m.below(kTurnAsks)),
              .give = Turns::Give(m.below(kTurnGives)),
              .late = m.chance(50),
              .keeps = m.chance(30),
              .passes = m.chance(40),
              .is_wide = m.chance(30)};
  if (m.chance(50))
    turns.via = anyVia(m, of_sub_groups, turns.who);
  if (m.chance(40))
    turns.beside = anyBeside(m, of_sub_groups, turns.who);
  return turns;
}

// Stores the value to an output, so that it matters whatever becomes of the variable.
void storeFound(Maker &m, Block &out, unsigned variable) {
  const unsigned memory = m.anyOutput();
  const Type type = m.kernel.memories[memory].type;
  if (isScalar(type))
    out.push_back(
        {.kind = Stmt::Kind::Store,
         .values = {m.ownCell(memory, m.slot(memory, Level::Lane, 1)), m.converted(type, m.variable(variable))},
         .memory = memory});
}

// Makes a statement in which the sub-groups of a work-group, or all work-groups, take a turn each.
void takeTurns(Maker &m, Block &out, const Place &place, MemoryObject::Role role) {
  const auto memories = m.memoriesWhere([&](const MemoryObject &o) { return o.role == role; });
  if (place.level != Level::Group || memories.empty())
    return;
  const bool of_sub_groups = role == MemoryObject::Role::Turns;
  Stmt s{.kind = Stmt::Kind::TakeTurns, .memory = memories[0], .turns = anyTurns(m, of_sub_groups)};
  const bool differs = s.turns.keeps || s.turns.who == Turns::Who::Each;
  const Level level = differs ? Level::Lane : of_sub_groups ? Level::SubGroup : Level::Group;
  s.values = {m.expr(kUInt, Level::Lane, 3)};
  if (!of_sub_groups)
    s.turns.order = m.kernel.group_order;
  else if (s.turns.order == Turns::Order::Rotated)
    s.values.push_back(m.expr(kUInt, Level::Group, 2));
  if (s.turns.who == Turns::Who::Some) { // they leave the loop when they see that, but not before the turn is over
    s.turns.passes = true;
    s.values.push_back(m.steering(Level::Lane, m.condition(Level::Lane, 2)));
  }
  if (m.chance(40) || !m.chooseVariable(level, s.target, kUInt))
    s.target.variable = m.declareAs(out, kUInt, m.expr(kUInt, level, 1), level);
  out.push_back(s);
  if (m.chance(50))
    storeFound(m, out, s.target.variable);
}

bool returns(const Block &block) {
  bool found = false;
  forEachStatement(block, [&](const Stmt &s) { found |= s.kind == Stmt::Kind::Return; });
  return found;
}

// Takes turns in a loop, with other statements in between. All that take turns run the loop equally often.
void takeTurnsInLoop(Maker &m, Block &out, const Place &outer, MemoryObject::Role role) {
  if (outer.level != Level::Group)
    return;
  Place place = outer;
  Stmt loop{.kind = Stmt::Kind::For, .values = {m.constant(kInt, 0), m.constant(kInt, 1 + m.below(4))}, .number = 1};
  if (role == MemoryObject::Role::Turns && m.chance(40))
    loop.values[1] = m.operation(Op::And, kInt, {m.expr(kInt, Level::Group, 2), m.constant(kInt, 3)});
  loop.target.variable = m.addVariable({.type = kInt, .fixed = true, .level = Level::Group});
  const size_t visible = m.visible.size();
  m.visible.push_back(loop.target.variable);
  ++place.depth;
  ++place.loops;
  Block body = m.block(place, m.below(3));
  takeTurns(m, body, place, role);
  for (Stmt &s : m.block(place, m.below(3)))
    body.push_back(std::move(s));
  m.visible.resize(visible);
  loop.blocks = {body};
  if (role == MemoryObject::Role::Turns || !returns(body))
    out.push_back(loop);
}

} // namespace

// Makes turns of sub-groups, sometimes in a loop.
void makeTurns(Maker &m, Block &out, const Place &place) {
  if (place.depth > 3 || place.loops > 1 || m.chance(60))
    return takeTurns(m, out, place, MemoryObject::Role::Turns);
  Place inside = place;
  inside.breaks = inside.continues = Level::Group;
  inside.in_loop = inside.in_breakable = true;
  takeTurnsInLoop(m, out, inside, MemoryObject::Role::Turns);
}

// Makes turns of work-groups. All work-groups must reach the place equally often, so it must be neither in a branch nor
// after a return.
void makeRelay(Maker &m, Block &out, const Place &place) {
  if (place.depth > 0 || returns(out))
    return;
  (m.chance(65) ? takeTurns : takeTurnsInLoop)(m, out, place, MemoryObject::Role::Relay);
}

} // namespace lanecl::fuzz
