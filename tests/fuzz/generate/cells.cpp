// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which cells of an output or of local memory belong to which work-item.
#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

// Returns the index of a work-item's cell `slot` in memory that `items` work-items share, as the layout says.
ExprPtr Maker::cellOf(unsigned memory, ExprPtr owner, ExprPtr items, ExprPtr slot) {
  const Layout &layout = layouts[memory];
  const Type type{layout.index, 1};
  const unsigned count = kernel.memories[memory].count;
  ExprPtr cell = converted(type, std::move(owner));
  const ExprPtr size = converted(type, std::move(items));
  if (layout.order == Layout::Order::Reversed)
    cell = operation(Op::Sub, type, {operation(Op::Sub, type, {size, constant(type, 1)}), cell});
  if (layout.order == Layout::Order::Rotated)
    cell = operation(Op::Rem, type, {operation(Op::Add, type, {cell, constant(type, 3)}), size});
  if (count == 1)
    return cell;
  slot = converted(type, std::move(slot));
  const ExprPtr stride = layout.by_slot ? size : constant(type, count);
  return layout.by_slot ? operation(Op::Add, type, {operation(Op::Mul, type, {slot, stride}), cell})
                        : operation(Op::Add, type, {operation(Op::Mul, type, {cell, stride}), slot});
}

bool Maker::isRow() const {
  return std::all_of(kernel.launches.begin(), kernel.launches.end(),
                     [](const NDRange &launch) { return launch.global.size() == 1 && launch.globalOffset(0) == 0; });
}

// Returns how many work-items share the memory.
ExprPtr Maker::itemsOf(unsigned memory) {
  const Type type{layouts[memory].index, 1};
  if (kernel.memories[memory].isLocal())
    return isRow() ? ask(Query::LocalSize, type) : ask(Query::LocalItems, type);
  return isRow() ? ask(Query::GlobalSize, type) : ask(Query::GlobalItems, type);
}

ExprPtr Maker::idFrom0(Type type, unsigned dim) {
  return operation(Op::Sub, type, {ask(Query::GlobalId, type, dim), ask(Query::GlobalOffset, type, dim)});
}

// Returns the work-item's number if the dimension `along` is the one that is contiguous in memory.
ExprPtr Maker::placeInColumns(Type type, unsigned along) {
  const auto op = [&](Op o, ExprPtr l, ExprPtr r) { return operation(o, type, {std::move(l), std::move(r)}); };
  const auto next = [&](ExprPtr place, unsigned dim) {
    return op(Op::Add, op(Op::Mul, std::move(place), ask(Query::GlobalSize, type, dim)), idFrom0(type, dim));
  };
  const unsigned outer = along == 2 ? 1 : 2, inner = along == 0 ? 1 : 0;
  return next(next(idFrom0(type, outer), inner), along);
}

// Returns the index of one of the work-item's own cells. It may be computed from a variable, see Progression.
ExprPtr Maker::ownCell(unsigned memory, ExprPtr slot) {
  const bool local = kernel.memories[memory].isLocal();
  const Type type{layouts[memory].index, 1};
  if (layouts[memory].order == Layout::Order::ByColumns && !local)
    return cellOf(memory, placeInColumns(type, layouts[memory].axis), itemsOf(memory), std::move(slot));
  ExprPtr owner = ask(local ? Query::LocalLinearId : Query::GlobalLinearId, type);
  if (isRow() && chance(60))
    owner = ask(local ? Query::LocalId : Query::GlobalId, type);
  std::vector<ExprPtr> inverses;
  for (const Progression &p : progressions)
    if (p.linear_id && std::find(visible.begin(), visible.end(), p.variable) != visible.end())
      inverses.push_back(p.linear_id);
  if (!local && !inverses.empty() && chance(50))
    owner = pick(inverses);
  return cellOf(memory, owner, itemsOf(memory), std::move(slot));
}

// Chooses one of the work-item's slots: mostly one not used before, so that earlier stores are not overwritten.
ExprPtr Maker::slot(unsigned memory, Level level, unsigned depth) {
  const unsigned count = kernel.memories[memory].count;
  if (count == 1 || chance(75))
    return constant(kInt, layouts[memory].next_slot++ % count);
  return operation(Op::And, kInt, {expr(kInt, level, depth), constant(kInt, count - 1)});
}

// Chooses an output, preferably one with several cells for each work-item.
unsigned Maker::anyOutput() {
  const auto outputs = memoriesWhere([](const MemoryObject &o) {
    using Role = MemoryObject::Role;
    return o.isOfItems() && o.role != Role::Kept && o.role != Role::Open;
  });
  const unsigned memory = pick(outputs);
  return kernel.memories[memory].count > 1 || chance(40) ? memory : pick(outputs);
}

} // namespace lanecl::fuzz
