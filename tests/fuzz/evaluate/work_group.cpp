// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs work-groups one after the other: sets up their work-items and memory, and calls the kernel.
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

// Lays out the frame of every function: a variable takes one scalar for each component, and a pointer takes one.
Launch::Launch(const Kernel &kernel_, const NDRange &range_, unsigned width_, Unguarded &unguarded_, Watch *watch_,
               uint64_t choice_)
    : kernel(kernel_), range(range_), width(width_), unguarded(unguarded_), watch(watch_), choice(choice_) {
  for (std::vector<uint64_t> &contents : initialContents(kernel, range))
    memory.emplace_back(std::move(contents), kernel.memories[memory.size()].role != MemoryObject::Role::Program);
  for (const Function &f : kernel.functions) {
    size_t size = 0;
    std::vector<size_t> &places = variable_places.emplace_back();
    for (const Variable &v : f.variables) {
      places.push_back(size);
      size += v.pointer ? 1 : (v.array ? v.count : 1) * v.type.lanes;
    }
    frame_sizes.push_back(size);
  }
}

WorkGroup::WorkGroup(Launch &launch_, std::array<size_t, 3> number_, unsigned position_)
    : launch(launch_), number(number_), position(position_) {
  for (unsigned dim = 0; dim < 3; ++dim)
    size[dim] =
        std::min(launch.range.localSize(dim), launch.range.globalSize(dim) - number[dim] * launch.range.localSize(dim));
  makeItems();
  for (unsigned i = 0; i < kernel.memories.size(); ++i)
    locals.push_back(
        kernel.memories[i].isLocal()
            ? Cells(std::vector<uint64_t>(kernel.elements(i, launch.range) * kernel.memories[i].type.lanes), false)
        : kernel.memories[i].role == MemoryObject::Role::Turns ? Cells(std::vector<uint64_t>(kTurnCells), true)
                                                               : Cells());
}

// Creates the work-items in the order of their local linear ids.
void WorkGroup::makeItems() {
  const NDRange &range = launch.range;
  for (size_t z = 0; z < size[2]; ++z)
    for (size_t y = 0; y < size[1]; ++y)
      for (size_t x = 0; x < size[0]; ++x) {
        Item item;
        item.local = {x, y, z};
        item.linear = items.size();
        const size_t row =
            (number[2] * range.localSize(2) + z) * range.globalSize(1) + number[1] * range.localSize(1) + y;
        item.global_linear = int32_t(row * range.globalSize(0) + number[0] * range.localSize(0) + x);
        items.push_back(std::move(item));
      }
}

void WorkGroup::run() {
  Items all;
  for (Item &item : items)
    all.push_back(&item);
  enter(unsigned(kernel.functions.size() - 1), all);
  inStep(kernel.functions.back().body, all);
}

// Gives each work-item a frame for the function, with no variable assigned yet.
void WorkGroup::enter(unsigned callee, const Items &active) {
  function = callee;
  for (Item *item : active) {
    item->base = item->stack.size();
    item->stack.resize(item->base + launch.frame_sizes[callee]);
    item->assigned.resize(item->stack.size());
    std::fill(item->assigned.begin() + ptrdiff_t(item->base), item->assigned.end(), 0);
    item->unknown.resize(item->base);
    item->unknown.resize(item->stack.size());
  }
}

// Takes one step off the launch's budget, so that a kernel that runs too long is rejected.
void WorkGroup::spend() {
  if (launch.budget-- == 0)
    throw Rejected("too long");
}

// Fills in the launch's watch when the watched work-item first reaches the watched statement.
void WorkGroup::look(const Stmt &s, const Item &item) {
  Watch *watch = launch.watch;
  if (!watch || watch->reached || watch->statement != &s || watch->item != item.global_linear)
    return;
  watch->reached = true;
  for (unsigned i = 0; i < kernel.functions[function].variables.size(); ++i) {
    const Variable &v = variableAt(i);
    const auto begin = ptrdiff_t(place(item, i)), end = begin + ptrdiff_t((v.array ? v.count : 1) * v.type.lanes);
    const bool known = !v.pointer &&
                       std::all_of(item.assigned.begin() + begin, item.assigned.begin() + end,
                                   [](uint8_t assigned) { return assigned != 0; }) &&
                       std::all_of(item.unknown.begin() + begin, item.unknown.begin() + end,
                                   [](uint64_t unknown) { return unknown == 0; });
    std::vector<uint64_t> &scalars = watch->variables.emplace_back();
    if (known)
      scalars.assign(item.stack.begin() + begin, item.stack.begin() + end);
  }
}

Contents evaluate(const Kernel &kernel, const NDRange &range, unsigned width, Unguarded &unguarded, Watch *watch,
                  Unknown *unknown) {
  Launch launch(kernel, range, width, unguarded, watch, unknown ? unknown->choice : 0);
  const size_t in_row = range.groups(0), in_plane = in_row * range.groups(1), groups = in_plane * range.groups(2);
  std::vector<size_t> order(groups);
  for (size_t i = 0; i < groups; ++i)
    order[positionOf(kernel.group_order, i, groups, kGroupRotation)] = i;
  for (size_t position = 0; position < groups; ++position) {
    const size_t i = order[position];
    WorkGroup(launch, {i % in_row, i % in_plane / in_row, i / in_plane}, unsigned(position)).run();
  }
  Contents contents;
  for (Cells &cells : launch.memory) {
    contents.push_back(cells.take());
    if (unknown)
      unknown->bits.push_back(cells.takeUnknown());
  }
  return contents;
}

} // namespace lanecl::fuzz
