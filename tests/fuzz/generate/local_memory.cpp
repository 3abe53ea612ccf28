// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Local memory: each work-item writes its own cell, and after a barrier reads those of others.
#include "generate/maker.h"

namespace lanecl::fuzz {

namespace {

// Makes each work-item store to the cell of the work-item `rotate` further on.
void store(Maker &m, Block &out, unsigned rotate) {
  const auto all = m.locals();
  if (all.empty())
    return;
  const unsigned memory = m.pick(all);
  Stmt s{.kind = Stmt::Kind::Store, .memory = memory};
  const Type type{m.layouts[memory].index, 1};
  ExprPtr cell = m.ownCell(memory, m.constant(kInt, m.below(m.kernel.memories[memory].count)));
  if (rotate) {
    const ExprPtr items = m.itemsOf(memory);
    const ExprPtr next = m.operation(Op::Add, type, {m.ask(Query::LocalLinearId, type), m.constant(type, rotate)});
    cell = m.cellOf(memory, m.operation(Op::Rem, type, {next, items}), items, m.constant(kInt, 0));
  }
  m.locals_ready = rotate == 0; // otherwise other work-items are writing one's own cell
  s.values = {cell, m.expr(m.kernel.memories[memory].type, Level::Lane, 2)};
  m.locals_ready = true;
  m.function.stores_local = true;
  out.push_back(s);
}

} // namespace

void makeLocalStore(Maker &m, Block &out, const Place &) {
  if (!m.reading)
    store(m, out, 0);
}

// Lets work-items write their own cells of local memory and, after a barrier, read those of others.
void makeExchange(Maker &m, Block &out, const Place &place) {
  if (place.level != Level::Group || m.reading || m.locals().empty())
    return;
  if (m.chance(50)) {
    out.push_back({.kind = Stmt::Kind::Barrier}); // a cell of another work-item may still be read
    store(m, out, m.below(5));
  }
  if (m.chance(30)) {
    out.push_back({.kind = Stmt::Kind::Barrier});
    store(m, out, 0);
  }
  out.push_back({.kind = Stmt::Kind::Barrier});
  m.reading = true;
  for (Stmt &s : m.block(place, 2 + m.below(3)))
    out.push_back(std::move(s));
  m.reading = false;
  out.push_back({.kind = Stmt::Kind::Barrier});
}

} // namespace lanecl::fuzz
