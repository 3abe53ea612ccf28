// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes expressions of a given type. `level` limits how much the work-items may differ in the value; `depth` limits
// nesting.
#include "generate/maker.h"

namespace lanecl::fuzz {

// Returns a constant, in all components if the type is a vector. Floating-point numbers are given in quarters.
ExprPtr Maker::constant(Type type, int64_t number) {
  ExprPtr scalar = make({.type = {type.base, 1}, .number = number});
  return type.lanes == 1 ? scalar : make({.kind = Expr::Kind::Construct, .type = type, .args = {scalar}});
}

ExprPtr Maker::variable(unsigned number) {
  return make({.kind = Expr::Kind::Variable, .type = function.variables[number].type, .variable = number});
}

namespace {

// Returns a query of the NDRange that is as uniform as the query of the work-group.
Query ofNdRange(Query query) {
  switch (query) {
  case Query::LocalId: return Query::GlobalId;
  case Query::LocalLinearId: return Query::GlobalLinearId;
  case Query::GroupId:
  case Query::LocalSize:
  case Query::EnqueuedLocalSize: return Query::GlobalSize;
  case Query::NumGroups: return Query::GlobalOffset;
  case Query::LocalItems: return Query::GlobalItems;
  default: return query;
  }
}

} // namespace

// Returns a query. A kernel that does not ask about its work-groups gets a query of the NDRange instead.
ExprPtr Maker::ask(Query query, Type type, unsigned dim) {
  if (!sees_groups)
    query = ofNdRange(query);
  return make({.kind = Expr::Kind::Query, .type = type, .number = dim, .query = query});
}

ExprPtr Maker::operation(Op op, Type type, std::vector<ExprPtr> args) {
  return make({.kind = Expr::Kind::Operation, .type = type, .args = std::move(args), .op = op});
}

// Converts an expression to a type, by way of one of its components if the number of components differs.
ExprPtr Maker::converted(Type type, ExprPtr e) {
  if (e->type == type)
    return e;
  if (e->type.lanes == type.lanes)
    return make({.kind = Expr::Kind::Convert, .type = type, .args = {std::move(e)}});
  if (e->type.lanes > 1)
    e = make({.kind = Expr::Kind::Component, .type = {e->type.base, 1}, .args = {e}, .number = below(e->type.lanes)});
  e = converted({type.base, 1}, e);
  return type.lanes == 1 ? e : make({.kind = Expr::Kind::Construct, .type = type, .args = {std::move(e)}});
}

// Returns a constant: small, or near the limits of the type.
ExprPtr Maker::anyConstant(Type type) {
  if (!isInteger(type.base) && kernel.relaxed)
    return constant(type, (int64_t(below(2 * kMostAtFirst + 1)) - kMostAtFirst) * 4);
  if (!isInteger(type.base) && chance(30)) // rounded, and beyond the largest half
    return constant(type, int64_t(below(1 << 19)) - (1 << 18));
  if (!isInteger(type.base))
    return constant(type, int64_t(below(64)) - 32);
  const unsigned width = bitsOf(type.base);
  const int64_t top = int64_t(1) << (width - 2);
  const uint64_t least = uint64_t(top) * 2; // of the signed type, as its bits
  const std::vector<int64_t> numbers{0,
                                     1,
                                     -1,
                                     2,
                                     3,
                                     5,
                                     7,
                                     15,
                                     16,
                                     31,
                                     32,
                                     33,
                                     64,
                                     -2,
                                     -3,
                                     -8,
                                     -100,
                                     127,
                                     128,
                                     255,
                                     256,
                                     100,
                                     4095,
                                     24,
                                     int64_t(least),
                                     -1,
                                     top - 1,
                                     int64_t(least - 1),
                                     -(top - 1) - top};
  return constant(type, chance(12) ? int64_t(bits()) : pick(numbers));
}

// Returns an index. Small uniform indices are as frequent as varying ones, which may have any integer type.
ExprPtr Maker::index(Level level, unsigned depth) {
  if (chance(25))
    return constant(kInt, below(8));
  const std::vector<Base> bases{Base::Int,   Base::Int,   Base::Int,   Base::UInt,   Base::UInt, Base::Long,
                                Base::ULong, Base::ULong, Base::Short, Base::UShort, Base::UChar};
  const Type type = chance(50) ? kInt : Type{pick(bases), 1};
  return expr(type, level, depth > 2 ? 2 : depth);
}

// Returns an expression from one of the generator's leaf functions, chosen by weight. After a few attempts that find
// none, returns a constant or converts a leaf of another type.
ExprPtr Maker::leaf(Type type, Level level, unsigned depth) {
  if (focus >= 0 && level == Level::Lane && chance(type.lanes == 1 ? 40 : 10))
    return converted(type, variable(unsigned(focus)));
  unsigned sum = 0;
  for (const auto &way : choices.leaves)
    sum += way.weight;
  for (unsigned attempt = 0; attempt < 4; ++attempt) {
    unsigned left = below(sum);
    for (const auto &way : choices.leaves) {
      if (left < way.weight) {
        if (ExprPtr result = way.make(*this, type, level, depth))
          return result;
        break;
      }
      left -= way.weight;
    }
  }
  if (chance(15))
    return anyConstant(type);
  if (type.lanes > 1)
    return construct(type, level, 0);
  return type == kInt ? anyConstant(type) : converted(type, leaf(kInt, level, depth));
}

// Builds a vector from one scalar, or from as many as it has components.
ExprPtr Maker::construct(Type type, Level level, unsigned depth) {
  Expr e{.kind = Expr::Kind::Construct, .type = type};
  const Type scalar{type.base, 1};
  const unsigned parts = type.lanes > 4 || chance(30) ? 1 : type.lanes;
  for (unsigned i = 0; i < parts; ++i)
    e.args.push_back(depth > 0 ? expr(scalar, level, depth - 1) : leaf(scalar, level, 0));
  return make(std::move(e));
}

// Returns an int that is used as a truth value.
ExprPtr Maker::condition(Level level, unsigned depth) {
  if (depth > 1 && chance(20)) { // sometimes a condition has a part that all work-items share
    const Level first = chance(30) ? Level::Group : level, second = chance(30) ? Level::Group : level;
    return operation(chance(50) ? Op::LogicalAnd : Op::LogicalOr, kInt,
                     {condition(first, depth - 1), condition(second, depth - 1)});
  }
  if (chance(35)) {
    const auto candidates = variablesWhere([&](const Variable &v) {
      return isInteger(v.type.base) && v.type.lanes == 1 && isPlain(v) && v.level <= level;
    });
    if (!candidates.empty())
      return guardOn(pick(candidates), level);
  }
  const std::vector<Op> compare{Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual};
  Type type = anyType();
  type.lanes = 1;
  if (type == kInt && chance(40)) // true for about half of the work-items
    return operation(Op::And, kInt, {expr(kInt, level, depth), constant(kInt, 1 + below(3))});
  return operation(pick(compare), kInt, {expr(type, level, depth), expr(type, level, depth)});
}

// Sometimes disguises a condition on which work-items agree, so that the compiler takes it for divergent.
ExprPtr Maker::steering(Level level, ExprPtr value) {
  const auto zeros = memoriesWhere([](const MemoryObject &m) { return m.role == MemoryObject::Role::Zeros; });
  if (level == Level::Lane || zeros.empty() || value->type != kInt || !chance(40))
    return value;
  return make(
      {.kind = Expr::Kind::Disguise, .type = kInt, .args = {value}, .number = !sees_groups, .memory = zeros[0]});
}

// Converts an expression of another type, or reinterprets bits.
ExprPtr Maker::conversion(Type type, Level level, unsigned depth) {
  if (!isInteger(type.base) && !kernel.relaxed && chance(40))
    return toNumber(type, level, depth);
  if (isInteger(type.base) && chance(15)) // the bits of the type with the other signedness
    return make({.kind = Expr::Kind::Reinterpret,
                 .type = type,
                 .args = {expr(isSigned(type.base) ? unsignedOf(type) : signedOf(type), level, depth)}});
  Type from = anyType();
  from.lanes = type.lanes;
  if (chance(30))
    from.base = Base(below(kIntegerBases));
  if (from == type)
    return expr(type, level, depth);
  const bool saturated = isInteger(type.base) && chance(35);
  const bool rounds = !isInteger(from.base) || !isInteger(type.base);
  return make({.kind = saturated ? Expr::Kind::ConvertSat : Expr::Kind::Convert,
               .type = type,
               .args = {expr(from, level, depth)},
               .number = below(rounds ? kRoundings : 2)});
}

// Makes a number from any bits of an integer type of the same or another size.
ExprPtr Maker::toNumber(Type type, Level level, unsigned depth) {
  const auto any = [&](Base base) {
    const Base bits = chance(50) ? maskOf(base) : unsignedOf(maskOf(base));
    return make({.kind = Expr::Kind::Reinterpret,
                 .type = {base, type.lanes},
                 .args = {expr({bits, type.lanes}, level, depth)},
                 .number = 1});
  };
  const std::vector<Base> bases{Base::Half, Base::Float, Base::Double};
  const Base from = pick(bases);
  if (from == type.base || chance(30))
    return any(type.base);
  return make({.kind = Expr::Kind::Convert, .type = type, .args = {any(from)}, .number = below(kRoundings)});
}

// Returns an expression of any kind. About half of the nested ones are arithmetic.
ExprPtr Maker::expr(Type type, Level level, unsigned depth) {
  if (isRecord(type))
    return recordValue(type, level);
  if (depth == 0 || chance(18))
    return leaf(type, level, depth);
  --depth;
  switch (below(10)) {
  case 0:
    if (type.lanes > 1 && chance(70)) {
      const std::vector<Op> compare{Op::Less, Op::LessEqual, Op::Equal, Op::NotEqual};
      const Type mask{maskOf(type.base), type.lanes};
      ExprPtr holds = operation(pick(compare), mask, {expr(type, level, depth), expr(type, level, depth)});
      return make({.kind = Expr::Kind::VectorSelect,
                   .type = type,
                   .args = {holds, expr(type, level, depth), expr(type, level, depth)}});
    }
    return make({.kind = Expr::Kind::Select,
                 .type = type,
                 .args = {condition(level, depth), expr(type, level, depth), expr(type, level, depth)}});
  case 1: return conversion(type, level, depth);
  case 2: return type.lanes > 1 ? construct(type, level, depth) : conversion(type, level, depth);
  case 3: return type == kInt ? condition(level, depth) : arithmetic(type, level, depth);
  case 4: return leaf(type, level, depth);
  default: return arithmetic(type, level, depth);
  }
}

} // namespace lanecl::fuzz
