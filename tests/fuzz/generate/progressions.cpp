// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables that follow the work-item's number, from lane to lane in steps: places in a halo, from the end, in a grid.
// Most indices in real kernels are like this. What matters is what compilers and lanes make of them, and of guards on
// them.
#include "generate/maker.h"

namespace lanecl::fuzz {

namespace {

// The id that a progression is computed from.
struct Source {
  Query query;
  unsigned dim;
  bool linear; // whether it is the GlobalLinearId
};

Source chooseSource(Maker &m) {
  if (m.chance(60))
    return {Query::GlobalId, m.isRow() || m.chance(85) ? 0 : m.below(3), m.isRow()};
  const std::vector<Source> others{{Query::GlobalLinearId, 0, true},
                                   {Query::LocalId, 0, false},
                                   {Query::LocalLinearId, 0, false},
                                   {Query::LocalId, 1, false}};
  Source source = m.pick(others);
  source.linear = source.query == Query::GlobalLinearId;
  return source;
}

// Returns a border or a width: a parameter or a small number.
ExprPtr extent(Maker &m, Type type) {
  if (!m.kernel.parameters.empty() && m.chance(65)) {
    const unsigned p = m.chance(50) ? 0 : m.below(unsigned(m.kernel.parameters.size()));
    return m.converted(type, make({.kind = Expr::Kind::Parameter, .type = m.kernel.parameters[p].type, .number = p}));
  }
  return m.constant(type, m.below(8) | m.below(2)); // mostly odd, because rows start at even numbers
}

} // namespace

// Declares a variable that is computed from a work-item's id, such as id - border, size - 1 - id or id / 8. Guards
// compare it, and indices are computed from it.
void makeProgression(Maker &m, Block &out, const Place &) {
  const std::vector<Base> bases{Base::Int,   Base::Int,    Base::Int,  Base::Int,  Base::Int,   Base::Int,
                                Base::UInt,  Base::UInt,   Base::Long, Base::Long, Base::ULong, Base::ULong,
                                Base::Short, Base::UShort, Base::Char, Base::UChar};
  const Type type{m.pick(bases), 1};
  const Source source = chooseSource(m);
  // The difference is computed in this type or in another one, as in (int)(get_global_id(0) - border).
  const Type in = m.chance(70) ? type : Type{m.chance(50) ? Base::ULong : Base::Int, 1};
  const ExprPtr id = m.ask(source.query, in, source.dim), c = extent(m, in);
  const ExprPtr one = m.constant(in, 1);
  // A power of two divides the lanes into segments; a parameter may, too.
  const std::vector<int64_t> factors{1, 2, 3, 4, 8, 12, 16, 32};
  const ExprPtr k = m.chance(80) ? m.constant(in, m.pick(factors)) : extent(m, in);
  const auto op = [&](Op o, ExprPtr l, ExprPtr r) { return m.operation(o, in, {std::move(l), std::move(r)}); };
  enum { Halo, Reversed, Other } form = m.chance(60) ? Halo : m.chance(50) ? Reversed : Other;
  ExprPtr value;
  switch (form) {
  case Halo: value = op(m.chance(80) ? Op::Sub : Op::Add, id, c); break;
  case Reversed: value = op(Op::Sub, op(Op::Sub, c, one), id); break;
  case Other: {
    const std::vector<Op> ops{Op::Mul, Op::Mul, Op::Div, Op::Rem, Op::And, Op::Xor, Op::Shl, Op::Shr};
    value = op(m.pick(ops), m.chance(40) ? op(Op::Sub, id, c) : id, k);
    if (m.chance(50))
      value = op(Op::Add, value, c);
  }
  }
  const bool halo_up = form == Halo && value->op == Op::Add;
  const unsigned x = m.declareAs(out, type, m.converted(type, value));
  m.function.variables[x].fixed = m.chance(85);
  ExprPtr back;
  if (source.linear && m.function.variables[x].fixed && in == type && bitsOf(type.base) >= 32 && form != Other)
    back = form == Reversed ? op(Op::Sub, op(Op::Sub, c, one), m.variable(x))
                            : op(halo_up ? Op::Sub : Op::Add, m.variable(x), c);
  m.progressions.push_back({x, back});
}

} // namespace lanecl::fuzz
