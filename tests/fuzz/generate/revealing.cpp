// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conditions from which a compiler learns something about a variable, and arithmetic in which that matters.
#include "generate/maker.h"

namespace lanecl::fuzz {

// Returns the other operand of `x op ?`: a number from which bits, signs and divisibility follow.
int64_t Maker::revealingNumber(Op op, Type type) {
  const std::vector<int64_t> small{1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 8, -1, -2, 31},
      masks{1, 1, 3, 7, 15, -2, -4, -8, 6, 255};
  const std::vector<int64_t> divisors{2, 2, 3, 4, 5, 7, 8, 10, 16, -2, -3};
  switch (op) {
  case Op::And:
  case Op::Or:
  case Op::Xor: return pick(masks);
  case Op::Shl:
  case Op::Shr: return chance(70) ? 1 + below(3) : below(bitsOf(type.base));
  case Op::Div:
  case Op::Rem: return pick(divisors);
  default: return pick(small);
  }
}

namespace {

// Makes conditions on the integer x, and records what each makes known about x.
struct Conditions {
  Maker &m;
  Type type;
  ExprPtr x;
  Level level;

  ExprPtr number(int64_t value) const { return m.constant(type, value); }
  ExprPtr holds(Op op, ExprPtr l, ExprPtr r) const { return m.operation(op, kInt, {std::move(l), std::move(r)}); }

  // For example (x & 3) == 0.
  ExprPtr lowBits() const {
    const int64_t mask = m.chance(60) ? 1 : (2 << m.below(3)) - 1;
    const int64_t wanted = m.chance(70) ? 0 : m.below(unsigned(mask) + 1);
    m.fact = {.kind = Fact::Kind::LowBits, .mask = mask, .bits = wanted};
    return holds(Op::Equal, m.operation(Op::And, type, {x, number(mask)}), number(wanted));
  }
  // Returns a number to compare x with.
  ExprPtr bound() const {
    if (m.chance(50) && !m.kernel.parameters.empty()) {
      const unsigned p = m.below(unsigned(m.kernel.parameters.size()));
      return m.converted(type, make({.kind = Expr::Kind::Parameter, .type = m.kernel.parameters[p].type, .number = p}));
    }
    return m.chance(60) ? number(m.below(40)) : m.leaf(type, level, 1);
  }
  ExprPtr notNegative() const {
    m.fact = {.kind = Fact::Kind::NotNegative};
    return holds(m.chance(70) ? Op::GreaterEqual : Op::Greater, x, number(m.chance(70) ? 0 : m.below(4)));
  }
  ExprPtr below() const { return holds(m.chance(70) ? Op::Less : Op::LessEqual, x, bound()); }
  ExprPtr inside() const { // with one comparison
    m.fact = {.kind = Fact::Kind::NotNegative};
    const Type u = unsignedOf(type);
    return holds(Op::Less, m.converted(u, x), m.converted(u, bound()));
  }
  // Tests a remainder, or by shifts whether x is a multiple of 2 or 4.
  ExprPtr multiple() const {
    if (m.chance(40))
      return holds(Op::Equal, m.operation(Op::Rem, type, {x, number(2 + m.below(5))}), number(m.below(3)));
    const int64_t bits = 1 + m.below(2);
    m.fact = {.kind = Fact::Kind::LowBits, .mask = (1 << bits) - 1};
    const ExprPtr shift = number(bits);
    return holds(Op::Equal, m.operation(Op::Shl, type, {m.operation(Op::Shr, type, {x, shift}), shift}), x);
  }
};

} // namespace

// Returns a condition on the variable and sets `fact` to what it makes known.
ExprPtr Maker::guardOn(unsigned number, Level level) {
  fact = {};
  const Conditions c{*this, function.variables[number].type, variable(number), level};
  const auto both = [&](ExprPtr l, ExprPtr r) { return c.holds(Op::LogicalAnd, std::move(l), std::move(r)); };
  switch (below(12)) {
  case 0:
  case 1:
  case 2:
  case 3: return c.lowBits();
  case 4: return both(c.notNegative(), c.below());
  case 5: return c.notNegative();
  case 6: return c.below();
  case 7: return c.inside();
  case 8: return c.multiple();
  case 9: return c.holds(Op::NotEqual, c.x, c.number(below(6)));
  case 10: return both(c.notNegative(), c.lowBits());
  default: return both(c.lowBits(), c.below());
  }
}

namespace {

// Arithmetic that a compiler writes differently when it knows the fact: a sum without carries becomes an or, a quotient
// becomes a shift that loses nothing, and a sign extension becomes a zero extension or vice versa.
ExprPtr consequence(Maker &m, const Fact &fact, const ExprPtr &x) {
  const Type type = x->type;
  const auto op = [&](Op o, int64_t c) { return m.operation(o, type, {x, m.constant(type, c)}); };
  switch (fact.kind) {
  case Fact::Kind::LowBits: {
    int64_t free = fact.mask & ~fact.bits;
    while ((free & (free - 1)) != 0 && m.chance(50))
      free &= free - 1;
    if (free == 0 || m.chance(25))
      return m.chance(50) ? op(Op::Sub, fact.bits) : op(m.chance(50) ? Op::Div : Op::Shr, m.chance(50) ? 1 : 2);
    return op(m.chance(80) ? Op::Add : m.chance(50) ? Op::Or : Op::Xor, free);
  }
  case Fact::Kind::NotNegative: {
    const std::vector<Base> wide{Base::Long, Base::ULong, Base::ULong};
    if (m.chance(50))
      return m.converted({m.pick(wide), 1}, x);
    const std::vector<Op> ops{Op::Div, Op::Rem, Op::Shr, Op::Shl};
    return op(m.pick(ops), m.chance(50) ? 2 : 4);
  }
  case Fact::Kind::None: break;
  }
  return x;
}

} // namespace

// Applies a few steps of arithmetic to the variable, sometimes in another type.
ExprPtr Maker::chainOn(unsigned number, unsigned steps) {
  const std::vector<Op> ops{Op::Add, Op::Add, Op::Add, Op::Add, Op::Add, Op::Add, Op::Sub, Op::Sub, Op::Mul, Op::Mul,
                            Op::Div, Op::Div, Op::Rem, Op::And, Op::Or,  Op::Or,  Op::Xor, Op::Shl, Op::Shr, Op::Shr};
  const std::vector<Base> bases{Base::Int,   Base::UInt,  Base::Long, Base::ULong, Base::Long,
                                Base::ULong, Base::Short, Base::Char, Base::UChar, Base::UShort};
  ExprPtr e = variable(number);
  if (chance(60))
    e = consequence(*this, fact, e);
  for (; steps > 0; --steps) {
    if (chance(25))
      e = converted({pick(bases), 1}, e);
    const Op op = pick(ops);
    const Type type = e->type;
    ExprPtr other = chance(75) ? constant(type, revealingNumber(op, type)) : leaf(type, Level::Lane, 1);
    e = chance(85) ? operation(op, type, {e, other}) : operation(op, type, {other, e});
  }
  return e;
}

// Makes what the guard is for: a result or an address that is computed from the variable.
void makeUse(Maker &m, Block &out, const Place &place) {
  if (m.focus < 0)
    return;
  ExprPtr value = m.chainOn(unsigned(m.focus), m.below(3));
  const auto inputs = m.memoriesWhere([](const MemoryObject &o) { return o.role == MemoryObject::Role::Input; });
  if (m.chance(30) && !inputs.empty()) {
    const unsigned memory = m.pick(inputs);
    value =
        m.within({.kind = Expr::Kind::Load, .type = m.kernel.memories[memory].type, .args = {value}, .memory = memory});
  }
  Stmt s{.kind = Stmt::Kind::Assign};
  const auto candidates = m.variablesWhere(
      [&](const Variable &v) { return !v.fixed && isPlain(v) && v.type.lanes == 1 && v.level >= place.level; });
  if (m.chance(25) && !candidates.empty()) {
    s.target.variable = m.pick(candidates);
    s.values = {m.converted(m.function.variables[s.target.variable].type, value)};
  } else if (const unsigned memory = m.anyOutput(); isRecord(m.kernel.memories[memory].type)) {
    s.target.element = m.within(*m.ownElement(memory));
    s.values = {m.converted(s.target.element->type, value)};
  } else {
    s = {.kind = Stmt::Kind::Store, .memory = memory};
    s.values = {m.ownCell(s.memory, m.slot(s.memory, Level::Lane, 1)),
                m.converted(m.kernel.memories[s.memory].type, value)};
  }
  out.push_back(s);
}

} // namespace lanecl::fuzz
