// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Branches, loops, and ways out of them.
#include "generate/maker.h"

#include <algorithm>
#include <utility>

namespace lanecl::fuzz {

// Makes both sides end with a store to the same place, as in `if (border) out[i] = a; else out[i] = b;`.
static void endWithStores(Maker &m, Stmt &branch) {
  const unsigned memory = m.anyOutput();
  const Type type = m.kernel.memories[memory].type;
  if (!isScalar(type))
    return;
  const ExprPtr cell = m.ownCell(memory, m.slot(memory, Level::Lane, 0));
  for (Block &side : branch.blocks)
    side.push_back({.kind = Stmt::Kind::Store, .values = {cell, m.expr(type, Level::Lane, 2)}, .memory = memory});
}

// Makes an `if`, sometimes with an `else`.
void makeBranch(Maker &m, Block &out, const Place &outer) {
  if (outer.depth > 4)
    return;
  Place place = outer;
  Stmt s{.kind = Stmt::Kind::If};
  place.level = m.atLeast(place.level);
  s.values = {m.steering(place.level, m.condition(place.level, 2))};
  s.blocks.push_back(m.block(place, 1 + m.below(3)));
  s.blocks.push_back(m.chance(50) ? m.block(place, 1 + m.below(3)) : Block{});
  if (m.chance(15))
    endWithStores(m, s);
  out.push_back(s);
}

// Makes an `if` whose condition bounds a variable, and uses of the variable inside, where the compiler may know more of
// it.
void makeGuard(Maker &m, Block &out, const Place &outer) {
  const auto candidates = m.variablesWhere([&](const Variable &v) {
    return isInteger(v.type.base) && v.type.lanes == 1 && isPlain(v) && v.level == Level::Lane;
  });
  if (outer.depth > 4 || candidates.empty())
    return;
  Place place = outer;
  place.level = Level::Lane;
  unsigned chosen = m.pick(candidates);
  if (!m.progressions.empty() && m.chance(85)) {
    const unsigned progression = m.pick(m.progressions).variable;
    if (std::find(candidates.begin(), candidates.end(), progression) != candidates.end())
      chosen = progression;
  }
  const int outer_focus = std::exchange(m.focus, int(chosen));
  const Fact outer_fact = m.fact;
  Stmt s{.kind = Stmt::Kind::If, .values = {m.guardOn(chosen, Level::Lane)}};
  const Fact fact = m.fact;
  s.blocks.push_back(m.block(place, m.below(2)));
  m.fact = fact;
  for (unsigned uses = 1 + m.below(3); uses > 0; --uses)
    makeUse(m, s.blocks[0], place);
  m.focus = outer_focus;
  m.fact = outer_fact;
  s.blocks.push_back(m.chance(30) ? m.block(place, 1 + m.below(2)) : Block{});
  out.push_back(s);
}

namespace {

// Chooses the bounds of a loop with a few turns, which counts up or down from a number or from the value of a variable.
void chooseRounds(Maker &m, Stmt &s, Type type, Level level) {
  const bool down = m.chance(30);
  s.number = m.chance(70) ? 1 : 1 + m.below(3);
  ExprPtr rounds = m.chance(40)
                       ? m.constant(kInt, 1 + m.below(6))
                       : m.operation(Op::And, kInt, {m.expr(kInt, level, 2), m.constant(kInt, m.chance(50) ? 3 : 7)});
  rounds = m.converted(type, m.steering(level, rounds));
  ExprPtr start = m.constant(type, m.chance(60) ? 0 : m.below(10));
  const auto from =
      m.variablesWhere([&](const Variable &v) { return v.fixed && v.type == type && v.level <= level && isPlain(v); });
  if (!from.empty() && m.chance(30))
    start = m.variable(m.pick(from));
  else if (m.chance(20)) // as work-groups divide rows among themselves
    start = m.ask(Query::GroupId, type);
  const ExprPtr end = m.operation(Op::Add, type, {start, rounds});
  s.values = down ? std::vector{end, start} : std::vector{start, end};
  if (down)
    s.number = -1; // with other steps, a counter of unsigned type could miss its end
}

// Chooses a loop that starts at the work-item's own number and goes on in large steps: for (i = l; i < n; i += 64).
void chooseStrides(Maker &m, Stmt &s, Type type) {
  const auto op = [&](Op o, ExprPtr l, ExprPtr r) { return m.operation(o, type, {std::move(l), std::move(r)}); };
  const std::vector<int64_t> steps{8, 16, 16, 32, 32, 64, 64, 12, 1};
  ExprPtr start = m.ask(m.chance(70) ? Query::LocalId : Query::GlobalId, type, 0),
          end = m.constant(type, 1 + m.below(127));
  if (m.chance(30))
    start = op(Op::Add, start, m.constant(type, m.below(20)));
  if (m.chance(40) && !m.kernel.parameters.empty())
    end = op(Op::And, m.converted(type, make({.kind = Expr::Kind::Parameter, .type = m.kernel.parameters[0].type})),
             m.constant(type, 127));
  s.number = m.kernel.required_local && m.chance(50) ? int64_t(m.kernel.launches[0].localSize(0)) : m.pick(steps);
  s.values = {start, end};
  if (m.chance(15)) {
    s.values = {end, start};
    s.number = -1;
  }
}

} // namespace

// Makes a loop that ends after a few rounds.
void makeLoop(Maker &m, Block &out, const Place &outer) {
  if (outer.depth > 4 || outer.loops > 1)
    return;
  Place place = outer;
  const std::vector<Stmt::Kind> kinds{Stmt::Kind::For, Stmt::Kind::For, Stmt::Kind::For, Stmt::Kind::While,
                                      Stmt::Kind::DoWhile};
  Stmt s{.kind = m.pick(kinds)};
  place.level = m.atLeast(place.level);
  const size_t visible = m.visible.size();
  Type type = kInt;
  s.number = 1 + m.below(6);
  if (s.kind == Stmt::Kind::For) {
    const std::vector<Base> counters{Base::Int,   Base::Int,  Base::Int,   Base::UInt,
                                     Base::ULong, Base::Long, Base::Short, Base::UChar};
    type.base = m.pick(counters);
    if (place.level == Level::Lane && m.chance(30))
      chooseStrides(m, s, type);
    else
      chooseRounds(m, s, type, place.level);
  } else {
    s.values = {m.steering(place.level, m.condition(place.level, 2))};
  }
  s.target.variable =
      m.addVariable({.type = type, .fixed = true, .size_t_ = type == kSize && m.chance(50), .level = place.level});
  m.visible.push_back(s.target.variable);
  place.breaks = place.continues = place.level;
  place.in_loop = place.in_breakable = true;
  ++place.loops;
  const int outer_focus = std::exchange(m.focus, m.chance(40) ? int(s.target.variable) : m.focus);
  s.blocks.push_back(m.block(place, 1 + m.below(4)));
  // The counter is then live across a barrier.
  if (place.level == Level::Group && !m.reading && !m.locals().empty() && m.chance(40))
    s.blocks[0].insert(s.blocks[0].begin() + m.below(unsigned(s.blocks[0].size()) + 1), {.kind = Stmt::Kind::Barrier});
  m.focus = outer_focus;
  m.visible.resize(visible);
  out.push_back(s);
}

// Makes a switch whose cases sometimes fall through.
void makeSwitch(Maker &m, Block &out, const Place &outer) {
  if (outer.depth > 4)
    return;
  Place place = outer;
  Stmt s{.kind = Stmt::Kind::Switch};
  place.level = place.breaks = m.atLeast(place.level);
  place.in_breakable = true;
  s.values = {m.steering(place.level, m.expr(kInt, place.level, 2))};
  const unsigned cases = 2 + m.below(4);
  for (unsigned i = 0; i < cases; ++i) {
    s.blocks.push_back(m.block(place, 1 + m.below(2)));
    s.falls_through.push_back(i + 1 < cases && m.chance(25));
  }
  out.push_back(s);
}

namespace {

// Returns a break or, where that is allowed, sometimes a return.
Stmt wayOut(Maker &m, Level level) {
  if (level > m.returns || m.chance(75))
    return {.kind = Stmt::Kind::Break};
  Stmt s{.kind = Stmt::Kind::Return};
  if (m.function.parameters)
    s.values = {m.expr(m.function.result, Level::Lane, 2)};
  return s;
}

} // namespace

// Makes a loop that each work-item leaves in an iteration of its own. Before it leaves, it calls sub-group functions
// together with the work-items that leave in the same iteration.
void makeStaggeredLoop(Maker &m, Block &out, const Place &outer) {
  if (outer.depth > 3 || outer.loops > 1)
    return;
  Place place = outer;
  place.level = place.breaks = place.continues = Level::Lane;
  place.in_loop = place.in_breakable = true;
  ++place.loops;
  ++place.depth;
  const size_t visible = m.visible.size();
  Stmt s{.kind = Stmt::Kind::For, .number = 1};
  const ExprPtr last = m.chance(50) ? m.expr(kInt, Level::SubGroup, 1) : m.constant(kInt, 3);
  s.values = {m.constant(kInt, 0),
              m.operation(Op::And, kInt, {m.steering(Level::SubGroup, last), m.constant(kInt, 7)})};
  s.target.variable = m.addVariable({.type = kInt, .fixed = true, .level = Level::Lane});
  m.visible.push_back(s.target.variable);
  const ExprPtr own =
      m.operation(Op::And, kInt, {m.steering(Level::Lane, m.expr(kInt, Level::Lane, 2)), m.constant(kInt, 3)});
  const bool stays_first = m.chance(30);
  Stmt choice{.kind = Stmt::Kind::If};
  choice.values = {m.operation(stays_first ? Op::NotEqual : Op::Equal, kInt, {own, m.variable(s.target.variable)})};
  Block body = m.chance(50) ? m.open(place, 1 + m.below(2)) : Block{};
  Block way;
  for (unsigned calls = 1 + m.below(3); calls > 0; --calls)
    makeSubGroupCall(m, way, place);
  way.push_back(wayOut(m, place.level));
  if (stays_first) {
    choice.blocks = {{{.kind = Stmt::Kind::Continue}}, {}};
    body.push_back(choice);
    body.insert(body.end(), way.begin(), way.end());
  } else {
    choice.blocks = {way, {}};
    body.push_back(choice);
  }
  s.blocks.push_back(body);
  m.visible.resize(visible);
  out.push_back(s);
}

// Makes a way out under a condition, so that what follows is not dead code.
void makeLeave(Maker &m, Block &out, const Place &outer) {
  Place place = outer;
  place.level = m.atLeast(place.level);
  std::vector<Stmt> choices;
  if (place.in_breakable && place.level <= place.breaks)
    choices.push_back({.kind = Stmt::Kind::Break});
  if (place.in_loop && place.level <= place.continues)
    choices.push_back({.kind = Stmt::Kind::Continue});
  if (place.level <= m.returns && m.chance(40)) {
    choices.push_back({.kind = Stmt::Kind::Return});
    if (m.function.parameters)
      choices.back().values = {m.expr(m.function.result, Level::Lane, 2)};
  }
  if (choices.empty())
    return;
  Stmt s{.kind = Stmt::Kind::If};
  s.values = {m.steering(place.level, m.condition(place.level, 2))};
  s.blocks = {{m.pick(choices)}, {}};
  if (m.chance(40)) { // an effect on the way out
    const size_t visible = m.visible.size();
    Block effect;
    (m.chance(m.what().calls_on_leaving) ? makeSubGroupCall : makeStore)(m, effect, place);
    m.visible.resize(visible);
    s.blocks[0].insert(s.blocks[0].begin(), effect.begin(), effect.end());
  }
  out.push_back(s);
}

} // namespace lanecl::fuzz
