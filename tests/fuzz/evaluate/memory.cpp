// Variables, private arrays and memory.
#include "evaluate/operations.h"
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

Value WorkGroup::readVariable(const Expr &e, Item &item) {
  const size_t where = place(item, e.variable);
  if (!item.assigned[where])
    launch.unguarded.variables.insert({function, e.variable});
  return item.stack[where];
}

// With its guard a subscript is taken modulo the count.
size_t WorkGroup::element(const Expr &e, Item &item) {
  const Variable &v = variableAt(e.variable);
  const size_t start = v.pointer ? item.stack[place(item, e.variable)].c[0] : place(item, e.variable);
  const Wide i = integer(e.args[0], item);
  if ((i < 0 || i >= Wide(v.count)) && !e.guarded)
    launch.unguarded.expressions.insert(&e);
  return start + size_t(uint64_t(i) & (v.count - 1));
}

Cells &WorkGroup::cells(unsigned memory) {
  return kernel.memories[memory].isLocal() ? locals[memory] : launch.memory[memory];
}

Value WorkGroup::load(const Expr &e, Item &item) {
  const MemoryObject &object = kernel.memories[e.memory];
  Wide i = integer(e.args[0], item);
  if (object.role <= MemoryObject::Role::Table && (i < 0 || i >= Wide(object.count))) {
    if (!e.guarded)
      launch.unguarded.expressions.insert(&e);
    i = Wide(uint64_t(i) & (object.count - 1));
  }
  Value result;
  result.c[0] = cells(e.memory).load(int64_t(i), item.global_linear);
  return result;
}

void WorkGroup::assign(const Target &t, const Value &v, Item &item) {
  const size_t where = t.element ? element(*t.element, item) : place(item, t.variable);
  if (t.component < 0) {
    item.stack[where] = v;
    item.assigned[where] = true;
  } else {
    item.stack[where].c[size_t(t.component)] = v.c[0];
  }
}

void WorkGroup::declare(const Stmt &s, Item &item) {
  const size_t where = place(item, s.target.variable);
  const Variable &v = variableAt(s.target.variable);
  const size_t count = v.array ? v.count : 1;
  std::fill_n(item.stack.begin() + ptrdiff_t(where), count, Value{});
  std::fill_n(item.assigned.begin() + ptrdiff_t(where), count, !s.values.empty());
  for (size_t i = 0; i < s.values.size(); ++i)
    item.stack[where + i] = stored(s.values[i], item);
}

void WorkGroup::store(const Stmt &s, Item &item) {
  const Wide index = integer(s.values[0], item);
  const uint64_t v = bits(s.values[1], item);
  if (!fits(Base::Long, index))
    throw Rejected("an access outside of memory");
  cells(s.memory).store(int64_t(index), item.global_linear, v);
}

void WorkGroup::atomic(const Stmt &s, Item &item) {
  const unsigned slot = unsigned(s.atomic) * kAtomicSlots + unsigned(bits(s.values[0], item) % kAtomicSlots);
  constexpr Op kAtomics[] = {Op::Add, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor};
  uint64_t &cell = cells(s.memory).cell(slot);
  cell = operate(kAtomics[unsigned(s.atomic)], kUInt, cell, bits(s.values[1], item), 0).bits;
}

void WorkGroup::barrier() {
  for (Cells &local : locals)
    local.barrier();
}

} // namespace lanecl::fuzz
