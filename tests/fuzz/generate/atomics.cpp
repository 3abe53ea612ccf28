// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic functions whose order does not matter: on counters that nothing else accesses, and on local memory between two
// barriers.
#include "generate/maker.h"

namespace lanecl::fuzz {

namespace {

AtomicOp ofKind(Maker &m, AtomicOp kind) {
  const std::vector<AtomicOp> sums{AtomicOp::Add, AtomicOp::Add, AtomicOp::Sub, AtomicOp::Inc, AtomicOp::Dec};
  return kind == AtomicOp::Add ? m.pick(sums) : kind;
}

// Returns an operand, which is often in memory, where each lane finds a value of its own.
ExprPtr operandOf(Maker &m, Type type) {
  if (m.chance(40))
    for (LeafMaker leaf : {elementLeaf, gridLeaf, inputLeaf})
      if (ExprPtr e = m.chance(50) ? leaf(m, type, Level::Lane, 2) : nullptr)
        return e;
  return m.expr(type, Level::Lane, 2);
}

// Returns a call of an atomic function in one of the three forms, see AtomicForm.
Stmt atomic(Maker &m, AtomicOp op, unsigned memory, ExprPtr index) {
  const Type type = m.kernel.memories[memory].type;
  Stmt s{.kind = Stmt::Kind::Atomic, .atomic = op};
  s.number = m.below(3);
  s.values = {make({.kind = Expr::Kind::Load, .type = type, .args = {std::move(index)}, .memory = memory})};
  if (op != AtomicOp::Inc && op != AtomicOp::Dec)
    s.values.push_back(operandOf(m, type));
  return s;
}

// Returns the index of a cell of the work-group: the work-item's own, one for all, or any.
ExprPtr anyCell(Maker &m, unsigned memory) {
  if (m.chance(25))
    return m.constant(kInt, 0);
  if (m.chance(33))
    return m.ask(Query::LocalLinearId, kUInt);
  const ExprPtr any = m.converted(kUInt, m.expr(kInt, m.chance(75) ? Level::Lane : Level::Group, 1));
  const ExprPtr items = m.operation(
      Op::Mul, kUInt, {m.ask(Query::LocalItems, kUInt), m.constant(kUInt, m.kernel.memories[memory].count)});
  return m.operation(Op::Rem, kUInt, {any, items});
}

// Returns the number of a counter: one for all, as many as there are counters for neighboring work-items, or any.
ExprPtr anySlot(Maker &m) {
  if (m.chance(35))
    return m.constant(kInt, m.below(kAtomicSlots));
  ExprPtr number = m.chance(40) ? m.ask(Query::LocalLinearId, kInt) : m.expr(kInt, Level::Lane, 1);
  return m.operation(Op::And, kInt, {std::move(number), m.constant(kInt, kAtomicSlots - 1)});
}

} // namespace

// Changes one of the counters. Each counter is changed by functions of one kind only, so that their order does not
// matter. While atomic functions change local memory, that memory is mostly changed instead.
void makeAtomic(Maker &m, Block &out, const Place &) {
  const auto counters = m.memoriesWhere([](const MemoryObject &o) { return o.role == MemoryObject::Role::Counters; });
  if (m.busy >= 0 && m.chance(70)) {
    out.push_back(atomic(m, ofKind(m, m.busy_with), unsigned(m.busy), anyCell(m, unsigned(m.busy))));
    return;
  }
  if (counters.empty())
    return;
  const unsigned memory = m.pick(counters);
  const AtomicOp kind = AtomicOp(m.below(kAtomicOps));
  const ExprPtr slot = anySlot(m);
  const ExprPtr index = m.operation(Op::Add, kInt, {m.constant(kInt, unsigned(kind) * kAtomicSlots), slot});
  out.push_back(atomic(m, ofKind(m, kind), memory, index));
}

// Makes atomic functions between two barriers. The cells may hold any value before, and functions of one kind may come
// in any order.
void makeLocalAtomics(Maker &m, Block &out, const Place &place) {
  const auto locals = m.memoriesWhere([](const MemoryObject &o) {
    return o.isLocal() && isScalar(o.type) && isInteger(o.type.base) && bitsOf(o.type.base) >= 32;
  });
  if (place.level != Level::Group || m.reading || m.busy >= 0 || locals.empty())
    return;
  const auto barrier = [&] { out.push_back({.kind = Stmt::Kind::Barrier}); };
  barrier();
  m.busy = int(m.pick(locals));
  m.busy_with = AtomicOp(m.below(kAtomicOps));
  m.function.stores_local = true;
  for (Stmt &s : m.block(place, 1 + m.below(3)))
    out.push_back(std::move(s));
  makeAtomic(m, out, place);
  m.busy = -1;
  barrier();
  m.reading = true;
  for (Stmt &s : m.block(place, 1 + m.below(2)))
    out.push_back(std::move(s));
  m.reading = false;
  barrier();
}

} // namespace lanecl::fuzz
