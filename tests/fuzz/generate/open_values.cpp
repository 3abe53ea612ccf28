// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where open bits come from: quotients by zero, conversions out of range, functions outside their ranges, and vectors
// of three as other types.
#include "generate/open_values.h"

namespace lanecl::fuzz {

unsigned bytesOf(Type type) {
  return bitsOf(type.base) / 8 * (type.lanes == 3 ? 4 : type.lanes);
}

namespace {

// Returns the expression marked to be printed without a guard, so that its value may be open.
ExprPtr plain(ExprPtr e) {
  Expr copy = *e;
  copy.plain = true;
  return make(std::move(copy));
}

// Returns a parameter that is always zero, which the compiler does not know.
ExprPtr parameterThatIs0(Maker &m, Type type) {
  for (unsigned i = 0; i < m.kernel.parameters.size(); ++i)
    if (const Parameter p = m.kernel.parameters[i]; p.bits == 0)
      return m.converted(type, make({.kind = Expr::Kind::Parameter, .type = p.type, .number = i}));
  return m.constant(type, 0);
}

// Returns a zero from memory that contains only zeros, which the compiler does not know.
ExprPtr loadedZero(Maker &m, Type type) {
  const unsigned zeros = m.memoriesWhere([](const MemoryObject &o) { return o.role == MemoryObject::Role::Zeros; })[0];
  const ExprPtr id = m.ask(m.chance(50) ? Query::GlobalId : Query::LocalId);
  const ExprPtr index = m.operation(Op::And, kInt, {id, m.constant(kInt, 255)});
  return m.converted(type, make({.kind = Expr::Kind::Load, .type = kInt, .args = {index}, .memory = zeros}));
}

// Returns a zero that the compiler knows as soon as it knows the local size, such as 64 % get_local_size(0).
ExprPtr zeroOfLocalSize(Maker &m, Type type) {
  const ExprPtr size = m.ask(Query::LocalSize, type);
  const std::vector<int64_t> multiples{8, 16, 64, 96, 60};
  return m.chance(70) ? m.operation(Op::Rem, type, {m.constant(type, m.pick(multiples)), size})
                      : m.operation(Op::Sub, type, {size, size});
}

} // namespace

// Returns a zero that the compiler recognizes early, late or never; or a number that is zero for some work-items.
ExprPtr zeroOf(Maker &m, Type type) {
  switch (m.below(8)) {
  case 0: return m.constant(type, 0);
  case 1: return parameterThatIs0(m, type);
  case 2:
  case 3: return zeroOfLocalSize(m, type);
  case 4: return m.operation(Op::And, type, {m.expr(type, Level::Lane, 1), m.constant(type, m.below(4))});
  case 5: {
    const ExprPtr same = m.leaf(type, Level::Lane, 1);
    return m.operation(Op::Xor, type, {same, same});
  }
  default: return loadedZero(m, type);
  }
}

namespace {

ExprPtr minusOne(Maker &m, Type type) {
  return m.chance(40) ? m.constant(type, -1) : m.operation(Op::Complement, type, {zeroOf(m, type)});
}

ExprPtr lowestOf(Maker &m, Type type) {
  const ExprPtr lowest = m.constant(type, int64_t(fuzz::lowest(type.base)));
  return m.chance(40) ? lowest : m.operation(Op::Xor, type, {lowest, zeroOf(m, type)});
}

// Makes some components of a vector by `component` and the others arbitrarily.
template <class F> ExprPtr eachComponent(Maker &m, Type type, F &&component) {
  const Type scalar{type.base, 1};
  if (type.lanes == 1)
    return component(scalar);
  Expr e{.kind = Expr::Kind::Construct, .type = type};
  const unsigned parts = m.chance(25) ? 1 : type.lanes;
  for (unsigned i = 0; i < parts; ++i)
    e.args.push_back(parts == 1 || m.chance(50) ? component(scalar) : m.leaf(scalar, Level::Lane, 0));
  return make(std::move(e));
}

} // namespace

// Returns a division by zero, or the lowest number divided by -1, for some or all components.
ExprPtr openQuotient(Maker &m, Type type) {
  const Op op = m.chance(50) ? Op::Div : Op::Rem;
  if (isSigned(type.base) && bitsOf(type.base) >= 32 && m.chance(25))
    return plain(m.operation(op, type,
                             {eachComponent(m, type, [&](Type scalar) { return lowestOf(m, scalar); }),
                              eachComponent(m, type, [&](Type scalar) { return minusOne(m, scalar); })}));
  return plain(m.operation(op, type, {m.expr(type, Level::Lane, 1), eachComponent(m, type, [&](Type scalar) {
                                        return zeroOf(m, scalar);
                                      })}));
}

namespace {

// Returns the bits of a number that some types cannot hold: a NaN, an infinity, or a large or small number.
ExprPtr oddNumber(Maker &m, Type type) {
  const std::vector<double> numbers{1e30, -1e30, 1000, -5, 128, -129, 65536, 2147483648.0, 4294967296.0, 1e19, 0.5};
  const Type bits{unsignedOfBits(bitsOf(type.base)), 1};
  const uint64_t infinity = fromNumber(type.base, 1e300 * 1e300);
  const uint64_t number = m.chance(30)   ? infinity | infinity >> 1 // a NaN
                          : m.chance(20) ? infinity
                                         : fromNumber(type.base, m.pick(numbers));
  ExprPtr pattern = m.constant(bits, int64_t(number));
  if (m.chance(40))
    pattern = m.operation(Op::Xor, bits, {pattern, zeroOf(m, bits)});
  else if (m.chance(15))
    pattern = m.expr(bits, Level::Lane, 1);
  return make({.kind = Expr::Kind::Reinterpret, .type = type, .args = {pattern}});
}

// Returns the product of a large number and the local size.
ExprPtr largeNumber(Maker &m, Type type) {
  const Type bits{unsignedOfBits(bitsOf(type.base)), 1};
  const ExprPtr large = make({.kind = Expr::Kind::Reinterpret,
                              .type = type,
                              .args = {m.constant(bits, int64_t(fromNumber(type.base, m.chance(50) ? 1e30 : -1e30)))}});
  const ExprPtr size = make({.kind = Expr::Kind::Convert, .type = type, .args = {m.ask(Query::LocalSize, kUInt)}});
  return m.operation(Op::Mul, type, {large, size});
}

} // namespace

// Returns a conversion of numbers that the integer type often cannot hold.
ExprPtr openConversion(Maker &m, Type type) {
  const std::vector<Base> bases{Base::Float, Base::Float, Base::Double, Base::Half};
  const Type from{m.pick(bases), type.lanes};
  const ExprPtr number = eachComponent(m, from, [&](Type scalar) {
    return scalar.base != Base::Half && m.chance(30) ? largeNumber(m, scalar) : oddNumber(m, scalar);
  });
  return make(
      {.kind = Expr::Kind::Convert, .type = type, .args = {number}, .number = m.below(kRoundings), .plain = true});
}

// Returns clamp() with bounds that may be in the wrong order, or mul24() or mad24() of numbers that may have more than
// 24 bits.
ExprPtr openFunction(Maker &m, Type type) {
  const auto any = [&] { return m.expr(type, Level::Lane, 1); };
  const bool narrow = bitsOf(type.base) != 32 || m.chance(40);
  if (narrow)
    return plain(m.operation(Op::Clamp, type, {any(), any(), any()}));
  return plain(m.chance(50) ? m.operation(Op::Mul24, type, {any(), any()})
                            : m.operation(Op::Mad24, type, {any(), any(), any()}));
}

// Reinterprets a vector of three components as a type of the size of four, whose last bits are thereby open. Returns
// null if the size does not fit.
ExprPtr openReinterpretation(Maker &m, Type type) {
  const unsigned bytes = bytesOf(type) / 4;
  if (bytes == 0 || bytes > 8 || bytesOf(type) % 4 != 0 || type.lanes == 3)
    return nullptr;
  const Base unsigned_base = unsignedOfBits(bytes * 8);
  std::vector<Base> bases{unsigned_base, signedOf(unsigned_base)};
  return make({.kind = Expr::Kind::Reinterpret, .type = type, .args = {m.expr({m.pick(bases), 3}, Level::Lane, 2)}});
}

// Returns a value that is open but the same wherever it is used, because it is the result of an operation.
ExprPtr settledValue(Maker &m, Type type) {
  switch (m.below(7)) {
  case 0: return openFunction(m, type);
  case 1:
  case 2:
  case 3: return openConversion(m, type);
  default: return openQuotient(m, type);
  }
}

} // namespace lanecl::fuzz
