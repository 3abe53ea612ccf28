// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Statements that several work-items run in step. A statement that contains a work-group barrier is run by the whole
// work-group. One that contains a sub-group function is run by those work-items of a sub-group that reach it together.
#include "evaluate/flow.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// Returns the work-items that go on with the next statement: those that have not left the block.
Items running(const Items &active) {
  Items result;
  std::copy_if(active.begin(), active.end(), std::back_inserter(result), [](Item *i) { return i->flow == Flow::Next; });
  return result;
}

// Returns the work-items that `accept` accepts.
template <class F> Items those(const Items &active, F &&accept) {
  Items result;
  for (Item *item : active)
    if (accept(*item))
      result.push_back(item);
  return result;
}

void require(bool condition) {
  if (!condition)
    throw Rejected("some work-items reach a barrier and others do not");
}

} // namespace

// Runs the statements one after the other, each for the work-items that still reach it.
void WorkGroup::inStep(const Block &statements, const Items &active) {
  for (const Stmt &s : statements) {
    const Items now = running(active);
    if (now.empty())
      return;
    inStep(s, now);
  }
}

// Splits the work-items into those that the statement makes run together: each on its own, the work-items of one
// sub-group, or the whole work-group.
void WorkGroup::inStep(const Stmt &s, const Items &active) {
  if (s.needs == Level::Lane) {
    for (Item *item : active)
      statement(s, *item);
    return;
  }
  if (s.needs == Level::Group) {
    require(active.size() == items.size());
    return together(s, active);
  }
  for (size_t begin = 0; begin < active.size();) {
    size_t end = begin;
    while (end < active.size() && active[end]->linear / launch.width == active[begin]->linear / launch.width)
      ++end;
    together(s, Items(active.begin() + ptrdiff_t(begin), active.begin() + ptrdiff_t(end)));
    begin = end;
  }
}

// Runs a statement that needs all these work-items at once.
void WorkGroup::together(const Stmt &s, const Items &active) {
  spend();
  for (const Item *item : active)
    look(s, *item);
  using Kind = Stmt::Kind;
  switch (s.kind) {
  case Kind::Barrier: return barrier();
  case Kind::SubGroupCall: return subGroupCall(s, active);
  case Kind::TakeTurns: return takeTurns(s, active);
  case Kind::Call: return call(s, active);
  case Kind::If: return branchTogether(s, active);
  case Kind::Switch: return switchTogether(s, active);
  default: return loopTogether(s, active);
  }
}

// Runs the side where the condition holds for the work-items that take it, and then the other side for the others.
void WorkGroup::branchTogether(const Stmt &s, const Items &active) {
  Items sides[2];
  for (Item *item : active)
    sides[bits(s.values[0], *item) != 0 ? 0 : 1].push_back(item);
  for (unsigned side : {0u, 1u})
    if (!sides[side].empty())
      inStep(s.blocks[side], sides[side]);
}

// Runs the cases in order. Work-items that fall through from one case run the next one together with those that enter
// there.
void WorkGroup::switchTogether(const Stmt &s, const Items &active) {
  std::vector<Items> entering(s.blocks.size());
  for (Item *item : active)
    entering[chosenCase(s, bits(s.values[0], *item))].push_back(item);
  Items now;
  for (size_t i = 0; i < s.blocks.size(); ++i) {
    now.insert(now.end(), entering[i].begin(), entering[i].end());
    std::sort(now.begin(), now.end(), [](Item *l, Item *r) { return l->linear < r->linear; });
    if (!now.empty())
      inStep(s.blocks[i], now);
    now = s.falls_through[i] ? running(now) : Items{};
  }
  for (Item *item : active)
    if (item->flow == Flow::Break)
      item->flow = Flow::Next;
}

// Runs rounds until all work-items have left the loop. Each round is run by those that are still in it.
void WorkGroup::loopTogether(const Stmt &s, const Items &active) {
  for (Item *item : active)
    startLoop(s, *item);
  const bool counts_last = s.kind == Stmt::Kind::For;
  const auto staying = [&](const Items &now) {
    return those(now, [&](Item &item) {
      const Truth truth = again(s, item);
      if (!truth.known)
        throw Rejected("work-items that go together do not know whether they stay in a loop");
      return truth.holds;
    });
  };
  for (Items now = s.kind == Stmt::Kind::DoWhile ? active : staying(active); !now.empty(); now = staying(now)) {
    for (Item *item : now)
      if (!counts_last)
        count(s, *item);
    inStep(s.blocks[0], now);
    now = those(now, goesOn);
    for (Item *item : now)
      if (counts_last)
        count(s, *item);
  }
}

// Calls a helper function: gives each work-item a frame on its stack, stores the arguments there, runs the body, and
// removes the frame.
void WorkGroup::call(const Stmt &s, const Items &active) {
  const unsigned caller = function;
  const Function &callee = kernel.functions[s.callee];
  std::vector<std::vector<Value>> arguments;
  std::vector<size_t> bases;
  for (Item *item : active) {
    arguments.emplace_back();
    for (const ExprPtr &e : s.values)
      arguments.back().push_back(value(e, *item));
    bases.push_back(item->base);
  }
  enter(s.callee, active);
  for (size_t i = 0; i < active.size(); ++i)
    for (unsigned p = 0; p < callee.parameters; ++p)
      write(frame(*active[i], p), frame(*active[i], p).size, arguments[i][p], *active[i]);
  inStep(callee.body, active);
  function = caller;
  for (size_t i = 0; i < active.size(); ++i) {
    if (active[i]->flow != Flow::Return)
      throw Rejected("a function ends without a value");
    active[i]->stack.resize(active[i]->base);
    active[i]->assigned.resize(active[i]->base);
    active[i]->unknown.resize(active[i]->base);
    active[i]->base = bases[i];
    active[i]->flow = Flow::Next;
    assign(s.target, active[i]->result, *active[i]);
  }
}

} // namespace lanecl::fuzz
