// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices for multiply-accumulate functions. Integers have any bits. Floating-point elements are 2, 3, 4 or 6, and
// sums are small, so that each result is exact.
#include "generate/sub_group_operands.h"

#include "language/matrices.h"

namespace lanecl::fuzz {

namespace {

// These bits of an element vary. The bits in `added` are added to them, which makes the element a small number.
struct Pattern {
  uint64_t varying, added;
};

// Returns the pattern for small whole elements of either sign, whose products can be added exactly.
Pattern patternOf(Element element, bool sums_are_narrow) {
  switch (element) {
  case Element::F16: return {0x86008600, 0x40004000};
  case Element::Bf16: return {sums_are_narrow ? 0x80408040u : 0x80c080c0u, 0x40004000}; // 2 or 3 if sums are narrow
  case Element::Tf32: return {0x80c01fff, 0x40000000};                                  // the low bits do not count
  default: return {~uint64_t(0), 0};
  }
}

// Returns the pattern for sums from 32 to 63 of either sign. A short holds the upper half of a float.
Pattern patternOfSum(Base base) {
  return base == Base::Half    ? Pattern{0x83e0, 0x5000}
         : base == Base::Float ? Pattern{0x807c0000, 0x42000000}
                               : Pattern{0x807c, 0x4200};
}

// Returns a value whose components are chosen separately. More often than not, all of its bits vary.
ExprPtr anyBits(Maker &m, Type type) {
  const Type scalar{type.base, 1};
  Expr e{.kind = Expr::Kind::Construct, .type = type};
  for (unsigned i = 0; i < type.lanes; ++i)
    e.args.push_back(m.chance(25) ? m.expr(scalar, Level::Lane, 1) : m.leaf(scalar, Level::Lane, 1));
  const ExprPtr values = type.lanes == 1 ? e.args[0] : make(std::move(e));
  if (m.chance(30))
    return values;
  return m.operation(Op::Mul, type,
                     {values, m.constant(type, int64_t(0x9E3779B97F4A7C15 >> (64 - bitsOf(type.base))))});
}

// Returns an expression whose bits follow the pattern. If the pattern adds nothing, all bits vary.
ExprPtr numbers(Maker &m, Type type, Pattern pattern) {
  const Type u{unsignedOfBits(bitsOf(type.base)), type.lanes};
  ExprPtr e = anyBits(m, u);
  if (pattern.added) {
    e = m.operation(Op::And, u, {e, m.constant(u, int64_t(truncated(u.base, pattern.varying)))});
    e = m.operation(Op::Add, u, {e, m.constant(u, int64_t(truncated(u.base, pattern.added)))});
  }
  return u == type ? e : make({.kind = Expr::Kind::Reinterpret, .type = type, .args = {e}});
}

ExprPtr sums(Maker &m, Type type) {
  if (type.base == Base::Int) // far from overflow
    return m.operation(Op::Shr, type, {m.expr(type, Level::Lane, 1), m.constant(type, 4)});
  return numbers(m, type, patternOfSum(type.base));
}

} // namespace

// Adds the three operands of a product. A split product is computed by pairs of sub-groups, all of which or only some
// call it.
void addMatrices(Maker &m, Stmt &s) {
  const Matrices matrices = matricesOf(s.sub_group, s.type);
  const bool narrow = bitsOf(s.type.base) == 16;
  s.values = {sums(m, s.type), numbers(m, matrices.leftType(m.kernel.required_width), patternOf(matrices.left, narrow)),
              numbers(m, matrices.rightType(), patternOf(matrices.right, narrow))};
  if (!matrices.split)
    return;
  s.number = m.chance(40) ? (1 << kSplitPairs) - 1 : m.below(1 << kSplitPairs);
  if (m.chance(60) && haveWorkGroupsOf(m.kernel, 2 * m.width))
    s.number = -1;
}

} // namespace lanecl::fuzz
