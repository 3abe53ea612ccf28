// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several components of vectors; vload and vstore.
#include "generate/maker.h"

namespace lanecl::fuzz {

// Returns several components of a vector variable.
ExprPtr swizzleLeaf(Maker &m, Type type, Level level, unsigned) {
  const auto candidates = m.variablesWhere([&](const Variable &v) {
    return v.type.base == type.base && isVector(v.type) && isPlain(v) && v.level <= level;
  });
  if (candidates.empty() || !isVector(type))
    return nullptr;
  const ExprPtr whole = m.variable(m.pick(candidates));
  return make({.kind = Expr::Kind::Swizzle,
               .type = type,
               .args = {whole},
               .swizzle = m.swizzle(whole->type.lanes, type.lanes, false)});
}

namespace {

// Returns how many consecutive vectors an access chooses from.
unsigned rowOf(Maker &m, unsigned most) {
  const std::vector<unsigned> rows{1, 1, 2, 2, 4, 16};
  const unsigned row = m.pick(rows);
  return row > most ? 1 : row;
}

const std::vector<Space> kSpaces{Space::Generic, Space::Private, Space::Local, Space::Global, Space::Global};

} // namespace

// Returns a vector that is loaded by vloadn or vload_halfn, or one of its components.
ExprPtr vectorLoadLeaf(Maker &m, Type type, Level level, unsigned depth) {
  if (level != Level::Lane || depth == 0 || isRecord(type))
    return nullptr;
  const std::vector<uint8_t> sizes{2, 3, 4, 8, 16};
  Type loaded = type;
  const bool converts = type.base == Base::Float && m.chance(50); // vload_half
  if (type.lanes == 1 && !(converts && m.chance(50)))
    loaded.lanes = m.pick(sizes);
  const std::vector<Space> spaces{Space::Generic, Space::Private, Space::Local,
                                  Space::Global,  Space::Global,  Space::Constant};
  const unsigned row = rowOf(m, 16);
  const ExprPtr from = m.address({{converts ? Base::Half : type.base, 1}, row * loaded.lanes, m.pick(spaces), true},
                                 m.visible.size(), m.chance(20));
  if (!from)
    return nullptr;
  const ExprPtr offset = row == 1 ? m.constant(kInt, 0) : m.index(level, depth - 1);
  const ExprPtr whole = make({.kind = Expr::Kind::VectorLoad, .type = loaded, .args = {offset, from}, .number = row});
  if (type.lanes == loaded.lanes)
    return whole;
  return make({.kind = Expr::Kind::Component, .type = type, .args = {whole}, .number = m.below(loaded.lanes)});
}

namespace {

// Stores arbitrary floats instead, converted to halves.
void convert(Maker &m, Stmt &s) {
  const uint8_t lanes = s.values[0]->type.lanes;
  s.number = 1 + m.below(kRoundings - 1);
  s.values[0] = m.chance(50) ? m.expr({Base::Float, lanes}, Level::Lane, 2)
                             : make({.kind = Expr::Kind::Reinterpret,
                                     .type = {Base::Float, lanes},
                                     .args = {m.expr({Base::UInt, lanes}, Level::Lane, 2)},
                                     .number = 1});
}

} // namespace

// Stores a vector by vstoren or vstore_halfn.
void makeVectorStore(Maker &m, Block &out, const Place &) {
  const std::vector<uint8_t> sizes{2, 2, 3, 3, 4, 4, 8, 16};
  for (unsigned attempt = 0; attempt < 6; ++attempt) {
    Type type{m.anyType().base, m.pick(sizes)};
    const bool converts = type.base == Base::Half && !m.kernel.relaxed && m.chance(50); // vstore_half
    if (converts && m.chance(30))
      type.lanes = 1;
    const unsigned row = rowOf(m, 4);
    const ExprPtr to =
        m.address({{type.base, 1}, row * type.lanes, m.pick(kSpaces), false}, m.visible.size(), m.chance(20));
    if (!to)
      continue;
    const ExprPtr offset = row == 1
                               ? m.constant(kInt, 0)
                               : m.operation(Op::And, kInt, {m.expr(kInt, Level::Lane, 1), m.constant(kInt, row - 1)});
    Stmt s{.kind = Stmt::Kind::VectorStore, .values = {m.expr(type, Level::Lane, 2), offset, to}};
    if (converts)
      convert(m, s);
    out.push_back(s);
    return;
  }
}

} // namespace lanecl::fuzz
