// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Places in memory that are neighbors if the work-items are: the work-item's own place, those around it, places counted
// from the end, in the rows of a matrix, and in segments.
#include "generate/maker.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lanecl::fuzz {

namespace {

// Makes indices into a grid: input memory with cells for all work-items and a border at both ends, so that neighbors
// can be read.
class Grid {
public:
  Grid(Maker &m_, unsigned memory) : m(m_), type(indexType(m_, m_.kernel.memories[memory].count)) {
    along = m.chance(90) ? m.axis : 0;
  }

  // Returns the index of a cell that relates to the work-item: its own, a neighbor's, or one of the patterns below.
  ExprPtr place() {
    switch (m.below(12)) {
    case 10: return op(Op::Xor, own(), distance());
    case 11: return butterfly();
    case 0: return fromEnd();
    case 1: return inSegments();
    case 2:
    case 3: return inMatrix();
    case 4: return op(Op::Add, op(Op::Mul, own(), number(2)), number(m.below(2)));
    case 5:
    case 6:
    case 7: return op(Op::Add, own(), number(m.below(2 * kBorder + 1)));
    default: return own();
    }
  }

private:
  Maker &m;
  const Type type;
  unsigned along = 0;

  // A ushort cannot number the cells of a large grid.
  static Type indexType(Maker &m, unsigned count) {
    const std::vector<Base> bases{Base::Int, Base::Int, Base::UInt, Base::Long, Base::ULong, Base::ULong, Base::UShort};
    const Base base = m.pick(bases);
    return {count > 0x10000 && base == Base::UShort ? Base::UInt : base, 1};
  }

  ExprPtr number(int64_t value) { return m.constant(type, value); }
  ExprPtr op(Op o, ExprPtr l, ExprPtr r) { return m.operation(o, type, {std::move(l), std::move(r)}); }
  ExprPtr size(unsigned dim) { return m.ask(Query::GlobalSize, type, dim); }
  ExprPtr own() { return m.placeInColumns(type, along); }

  // part[63 - l], in the whole array or in a row.
  ExprPtr fromEnd() {
    if (m.chance(50))
      return op(Op::Sub, op(Op::Sub, m.ask(Query::GlobalItems, type), number(1)), own());
    return op(Op::Sub, op(Op::Sub, size(along), number(1)), m.idFrom0(type, along));
  }

  // Returns a power of two, which the compiler may or may not know.
  ExprPtr distance() {
    if (m.kernel.parameters.empty() || m.chance(50))
      return number(1 << m.below(7));
    const ExprPtr shift =
        op(Op::And, m.converted(type, make({.kind = Expr::Kind::Parameter, .type = m.kernel.parameters[0].type})),
           number(7));
    return op(Op::Shl, number(1), shift);
  }

  // 2 * i - (i & (distance - 1)), the first one of a pair
  ExprPtr butterfly() {
    const ExprPtr within = op(Op::And, own(), op(Op::Sub, distance(), number(1)));
    return op(Op::Sub, op(Op::Mul, own(), number(2)), within);
  }

  // in[k * n + y], where k is a loop's counter or any row.
  ExprPtr inMatrix() {
    const auto counters =
        m.variablesWhere([](const Variable &v) { return v.fixed && isPlain(v) && isInteger(v.type.base); });
    const ExprPtr row =
        counters.empty() || m.chance(30) ? number(m.below(4)) : m.converted(type, m.variable(m.pick(counters)));
    return op(Op::Add, op(Op::Mul, row, size(along)), m.idFrom0(type, along));
  }

  // Returns an index from a division of the work-item's number into segments: id / n, id % n or a mixture of both.
  ExprPtr inSegments() {
    const std::vector<int64_t> lengths{2, 4, 8, 16, 32, 5, 12};
    const ExprPtr id = m.chance(50) ? own() : m.idFrom0(type, along);
    ExprPtr length = number(m.pick(lengths));
    if (m.chance(30) && m.kernel.parameters.size() > 1)
      length =
          m.converted(type, make({.kind = Expr::Kind::Parameter, .type = m.kernel.parameters[1].type, .number = 1}));
    const ExprPtr quotient = op(Op::Div, id, length), rest = op(Op::Rem, id, length);
    switch (m.below(4)) {
    case 0: return quotient;
    case 1: return rest;
    case 2: return op(Op::Add, op(Op::Mul, quotient, number(m.pick(lengths))), rest);
    default: return op(Op::Add, op(Op::Mul, rest, number(4)), quotient);
    }
  }
};

} // namespace

unsigned addGrid(Maker &m, const char *name, Type type) {
  const unsigned places = unsigned(std::bit_ceil(m.kernel.maxItems() + 2 * kBorder));
  return m.addMemory({.role = MemoryObject::Role::Input, .name = name, .type = type, .count = places});
}

// Returns an element of a grid.
ExprPtr gridLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const auto grids = m.memoriesWhere([&](const MemoryObject &o) {
    return o.role == MemoryObject::Role::Input && o.count >= m.kernel.maxItems() + 2 * kBorder;
  });
  if (grids.empty() || level != Level::Lane || depth == 0)
    return nullptr;
  const unsigned memory = m.pick(grids);
  const ExprPtr e = m.within({.kind = Expr::Kind::Load,
                              .type = m.kernel.memories[memory].type,
                              .args = {Grid(m, memory).place()},
                              .memory = memory});
  return isInteger(e->type.base) || !isInteger(type.base) ? m.converted(type, e) : nullptr;
}

namespace {

// Returns the place of a field or, if the field is an array, of one of its elements.
ExprPtr field(const Maker &m, Expr place, unsigned number) {
  const Field &of = m.kernel.records[place.type.record - 1].fields[number];
  place.path.push_back(uint8_t(number));
  if (of.array)
    place.args.push_back(make({.type = kInt}));
  place.type = of.type;
  return make(std::move(place));
}

} // namespace

// Accesses all or some members of a record in any order. Members that are next to each other may be accessed together.
void makeMembers(Maker &m, Block &out, const Place &) {
  const auto records = m.memoriesWhere([](const MemoryObject &o) {
    return isRecord(o.type) && (o.role == MemoryObject::Role::Output || o.role == MemoryObject::Role::Input);
  });
  if (records.empty())
    return;
  const unsigned memory = m.pick(records);
  const MemoryObject object = m.kernel.memories[memory];
  const bool stores = object.role == MemoryObject::Role::Output;
  const ExprPtr whole =
      stores
          ? m.ownElement(memory)
          : make({.kind = Expr::Kind::Load, .type = object.type, .args = {Grid(m, memory).place()}, .memory = memory});
  std::vector<unsigned> order(m.kernel.records[object.type.record - 1].fields.size());
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = order.size(); i > 1 && m.chance(50); --i)
    std::swap(order[i - 1], order[m.below(unsigned(i))]);
  if (m.chance(25))
    order.resize(1 + m.below(unsigned(order.size())));
  for (unsigned number : order) {
    const ExprPtr place = field(m, *whole, number);
    if (isRecord(place->type))
      continue;
    if (!stores) {
      m.declareAs(out, place->type, place);
      continue;
    }
    Stmt s{.kind = Stmt::Kind::Assign, .values = {m.expr(place->type, Level::Lane, 1)}};
    s.target.element = place;
    out.push_back(s);
  }
}

} // namespace lanecl::fuzz
