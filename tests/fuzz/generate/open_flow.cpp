// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Flow that depends on open bits. Whatever it writes is overwritten afterwards by values that were computed before.
#include "generate/open_values.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// Variables and memory that either way may write, and that are overwritten afterwards.
class Overwritten {
public:
  Overwritten(Maker &m_, Block &out_) : m(m_), out(out_) {
    for (unsigned count = 1 + m.below(3); count > 0; --count)
      add();
  }

  // Returns up to two effects.
  Block effects() {
    Block result;
    for (unsigned count = m.below(3); count > 0; --count)
      result.push_back(effect());
    return result;
  }

  // Returns a store or an assignment of another value to a place that is overwritten in the end.
  Stmt effect() {
    const Stmt &end = m.pick(ends);
    Stmt s = end;
    s.values.back() = m.expr(end.values.back()->type, Level::Lane, 2);
    return s;
  }

  void end() { out.insert(out.end(), ends.begin(), ends.end()); }

private:
  Maker &m;
  Block &out;
  std::vector<Stmt> ends{};

  // Returns the value that the place has at the end.
  ExprPtr valueOf(Type type) {
    if (m.chance(30))
      return m.anyConstant(type);
    Stmt s{.kind = Stmt::Kind::Declare, .values = {m.expr(type, Level::Lane, 2)}};
    s.target.variable = m.addVariable({.type = type, .fixed = true});
    out.push_back(s);
    return m.variable(s.target.variable);
  }

  // Chooses a variable or a cell that the effects change, and the known value that it gets in the end.
  void add() {
    const auto variables = m.variablesWhere(
        [](const Variable &v) { return isPlain(v) && !v.fixed && v.level == Level::Lane && isInteger(v.type.base); });
    if (!variables.empty() && m.chance(40)) {
      const unsigned number = m.pick(variables);
      const Type type = m.function.variables[number].type;
      ends.push_back({.kind = Stmt::Kind::Assign, .target = {.variable = number}, .values = {valueOf(type)}});
      return;
    }
    unsigned memory = m.anyOutput();
    while (!isScalar(m.kernel.memories[memory].type))
      memory = m.anyOutput();
    const MemoryObject object = m.kernel.memories[memory];
    const ExprPtr slot = m.constant(kInt, m.layouts[memory].next_slot++ % object.count);
    ends.push_back(
        {.kind = Stmt::Kind::Store, .values = {m.ownCell(memory, slot), valueOf(object.type)}, .memory = memory});
  }
};

} // namespace

// Makes a branch whose condition is open. Whatever it changes is overwritten afterwards.
void makeOpenBranch(Maker &m, Block &out, const Place &) {
  Overwritten overwritten(m, out);
  Stmt s{.kind = Stmt::Kind::If, .values = {openCondition(m)}, .blocks = {overwritten.effects(), {}}};
  s.blocks[0].push_back(overwritten.effect());
  if (m.chance(40))
    s.blocks[1] = overwritten.effects();
  if (m.chance(30)) { // nested in a branch whose condition is known or open
    const ExprPtr condition = m.chance(50) ? m.condition(Level::Lane, 1) : openCondition(m);
    s = {.kind = Stmt::Kind::If, .values = {condition}, .blocks = {{s}, overwritten.effects()}};
  }
  out.push_back(s);
  overwritten.end();
}

// Makes a loop of a few turns, whose number depends on open bits.
void makeOpenLoop(Maker &m, Block &out, const Place &outer) {
  if (outer.loops > 1)
    return;
  Overwritten overwritten(m, out);
  Stmt s{.kind = Stmt::Kind::For, .number = 1};
  const std::vector<Base> counters{Base::Int, Base::UInt, Base::ULong, Base::UChar};
  Type type = kInt;
  if (m.chance(70)) {
    type = {m.pick(counters), 1};
    const ExprPtr value = settledValue(m, type), most = m.constant(type, 1 + m.below(3));
    const ExprPtr low = m.operation(isSigned(type.base) || m.chance(30) ? Op::And : Op::Min, type, {value, most});
    s.values = {m.constant(type, 0), low};
  } else {
    s.kind = m.chance(50) ? Stmt::Kind::While : Stmt::Kind::DoWhile;
    s.number = 1 + m.below(3);
    s.values = {openCondition(m)};
  }
  s.target.variable = m.addVariable({.type = type, .fixed = true});
  m.visible.push_back(s.target.variable);
  s.blocks = {overwritten.effects()};
  s.blocks[0].push_back(overwritten.effect());
  m.visible.pop_back();
  out.push_back(s);
  overwritten.end();
}

// Makes a switch on an open value. Whatever the cases change is overwritten afterwards.
void makeOpenSwitch(Maker &m, Block &out, const Place &) {
  Overwritten overwritten(m, out);
  Stmt s{.kind = Stmt::Kind::Switch, .values = {settledValue(m, kInt)}};
  for (unsigned i = 0, cases = 2 + m.below(3); i < cases; ++i) {
    s.blocks.push_back(overwritten.effects());
    s.falls_through.push_back(i + 1 < cases && m.chance(25));
  }
  out.push_back(s);
  overwritten.end();
}

// Makes q = x / d; … d == 0 ? 42 : q.
void makeTested(Maker &m, Block &out, const Place &) {
  Target target;
  Type type;
  if (!m.chooseTarget(Level::Lane, target, type) || !isInteger(type.base) || !isScalar(type))
    return;
  const auto declare = [&](Variable v, ExprPtr value) {
    Stmt s{.kind = Stmt::Kind::Declare, .values = {std::move(value)}};
    s.target.variable = m.addVariable(std::move(v));
    out.push_back(s);
    return m.variable(s.target.variable);
  };
  const ExprPtr divisor = declare({.type = type, .fixed = true}, zeroOf(m, type)),
                other = declare({.type = type, .fixed = true}, m.expr(type, Level::Lane, 1));
  Expr quotient = *m.operation(m.chance(50) ? Op::Div : Op::Rem, type, {other, divisor});
  quotient.plain = true;
  const bool is_late = m.chance(30);
  const ExprPtr q = is_late ? make(quotient) : declare({.type = type, .fixed = true, .open = true}, make(quotient));
  const ExprPtr x = declare({.type = type, .fixed = true}, m.expr(type, Level::Lane, 1)), zero = m.constant(type, 0);
  // Division by -1 is tested, too, because the quotient of the smallest integer is left open.
  const ExprPtr minus_one = m.constant(type, -1);
  ExprPtr holds = m.operation(Op::Equal, kInt, {divisor, zero});
  if (isSigned(type.base))
    holds = m.operation(Op::LogicalOr, kInt, {holds, m.operation(Op::Equal, kInt, {divisor, minus_one})});
  Stmt s{.kind = Stmt::Kind::Assign, .target = target};
  if (m.chance(50)) {
    s.values = {make({.kind = Expr::Kind::Select, .type = type, .args = {holds, x, q}})};
    out.push_back(s);
    return;
  }
  Stmt branch{.kind = Stmt::Kind::If, .values = {holds}, .blocks = {{s}, {s}}};
  branch.blocks[0][0].values = {x};
  branch.blocks[1][0].values = {q};
  out.push_back(branch);
}

// Stores open bits, and then overwrites them.
void makeOverwritten(Maker &m, Block &out, const Place &) {
  Overwritten overwritten(m, out);
  Stmt s = overwritten.effect();
  s.values.back() = openExpr(m, s.values.back()->type, 2);
  out.push_back(s);
  overwritten.end();
}

} // namespace lanecl::fuzz
