// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Quotients and remainders by one divisor, and what programs make of both: the row of an index and where the row
// starts, a value of their own if the divisor is zero, and a divisor that they keep from being zero.
#include "generate/open_values.h"

namespace lanecl::fuzz {

namespace {

// Makes a quotient and the remainder of the same operands, which the compiler may compute from each other.
class Quotients {
public:
  Quotients(Maker &m_, Block &out_, Type type_) : m(m_), out(out_), type(type_), one(m_.constant(type_, 1)) {}

  void build() {
    const ExprPtr x = declared(m.expr(type, Level::Lane, 1)), y = declared(divisor());
    const ExprPtr by = m.chance(25) ? op(Op::Max, y, one) : y;
    ExprPtr quotient = op(Op::Div, x, by);
    if (m.chance(60))
      quotient = declared(quotient);
    ExprPtr rest = m.chance(60) ? declared(op(Op::Rem, x, by)) : op(Op::Rem, x, by);
    for (unsigned uses = 1 + m.below(3); uses > 0; --uses)
      declared(use(x, y, quotient, rest));
  }

private:
  Maker &m;
  Block &out;
  const Type type;
  const ExprPtr one;

  ExprPtr op(Op o, ExprPtr a, ExprPtr b) { return m.operation(o, type, {std::move(a), std::move(b)}); }
  ExprPtr declared(ExprPtr value) { return m.variable(m.declareAs(out, type, std::move(value))); }

  // Returns a divisor: one that is never zero although no compiler can tell, minus one, or one that often is zero.
  ExprPtr divisor() {
    switch (m.below(4)) {
    case 0: return op(Op::Add, zeroOf(m, type), m.constant(type, 1 + m.below(6)));
    case 1: return op(Op::Sub, zeroOf(m, type), one);
    case 2: return op(Op::And, m.expr(type, Level::Lane, 1), m.constant(type, 3));
    default: return m.leaf(type, Level::Lane, 1);
    }
  }

  // Returns a value computed from the quotient or the remainder, for example q * y + r or x - q * y.
  ExprPtr use(const ExprPtr &x, const ExprPtr &y, const ExprPtr &quotient, const ExprPtr &rest) {
    const ExprPtr product = op(Op::Mul, chosen(quotient, y), m.chance(85) ? y : op(Op::Add, y, one));
    switch (m.below(5)) {
    case 0: return op(Op::Add, product, rest);
    case 1: return op(Op::Sub, x, product);
    case 2: return chosen(m.chance(50) ? quotient : rest, y);
    default: return product;
    }
  }

  // Returns the value, or another one if the divisor is 0 or -1.
  ExprPtr chosen(const ExprPtr &value, const ExprPtr &y) {
    if (m.chance(60))
      return value;
    const ExprPtr holds = m.operation(Op::Equal, kInt, {y, m.constant(type, m.chance(50) ? 0 : -1)});
    return make({.kind = Expr::Kind::Select, .type = type, .args = {holds, m.anyConstant(type), value}});
  }
};

} // namespace

void makeQuotients(Maker &m, Block &out, const Place &) {
  const std::vector<Base> bases{Base::UInt, Base::Int, Base::Int, Base::ULong, Base::Long, Base::UShort, Base::Char};
  Quotients(m, out, {m.pick(bases), 1}).build();
}

} // namespace lanecl::fuzz
